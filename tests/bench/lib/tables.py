# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables as plain text."""
import statistics


def show(title, head, rows):
    """The first column to the left, the others to the right."""
    rows = [head] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    print(f"\n{title}")
    for row in rows:
        print("  " + "  ".join(cell.rjust(width) if i else cell.ljust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))).rstrip())


def ratio(value):
    return value if isinstance(value, str) else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def summary(values):
    """Geometric mean and worst of the numbers in VALUES; a text that says what they leave out."""
    numbers = [value for value in values if not isinstance(value, str)]
    if not numbers:
        return "-", "-"
    left_out = "" if len(numbers) == len(values) else f" ({len(numbers)} of {len(values)})"
    worst = next((value for value in values if isinstance(value, str) and value.startswith("over")), max(numbers))
    return f"{statistics.geometric_mean(numbers):.2f}{left_out}", ratio(worst)


def times(ratios, seconds, table):
    names = list(table)
    head = ["subject", "plain s", *names[1:]]
    rows = [[subject, f"{seconds[subject]:.2f}", *(ratio(values[name]) for name in names[1:])]
            for subject, values in ratios.items()]
    ends = [summary([values[name] for values in ratios.values()]) for name in names[1:]]
    rows += [["mean", "", *(mean for mean, _ in ends)], ["worst", "", *(worst for _, worst in ends)]]
    show("Processor time, by that of the same compiler's plain build (medians of runs in turn, one core)", head, rows)
    for name in names:
        print(f"  {name:9} {table[name].how}")


def instruction_counts(counts):
    variants = [name for name in next(iter(counts.values())) if name != "plain"]
    by_plain = {subject: {name: values[name] / values["plain"] for name in variants if name in values}
                for subject, values in counts.items()}
    rows = [[subject, f"{counts[subject]['plain']:,}", *(f"{values[name]:.3f}" if name in values else "-"
                                                         for name in variants)] for subject, values in by_plain.items()]
    rows.append(["mean", "", *(f"{statistics.geometric_mean(v[name] for v in by_plain.values() if name in v):.3f}"
                               for name in variants)])
    show("Instructions, by plain's (callgrind, small workloads)", ["subject", "plain", *variants], rows)
    return by_plain


def growth(sizes):
    return {name: value["scale"]["text"] / value["plain"]["text"] for name, value in sizes.items()}


def sizes_and_memory(sizes, memory, profile):
    rows = []
    for name, value in sizes.items():
        left = profile.get(name, {})
        used = [memory.get((name, variant)) for variant in ("plain", "scale")]
        rows.append([name, f"{value['plain']['text']:,}", f"{value['scale']['text'] / value['plain']['text']:.2f}",
                     f"{value['scale']['sites']:,}",
                     *(f"{statistics.median(kib):,.0f}" if kib else "-" for kib in used),
                     f"{left['profile_bytes']:,}" if left else "-", f"{left['nodes']:,}" if left else "-"])
    show("Size: text and sites in bytes, peak memory in KiB, profile in bytes and nodes",
         ["subject", "text", "text by plain's", "sites", "memory", "with scale", "profile", "nodes"], rows)


def start_up(microseconds, runtime_text):
    rows = [[kind, f"{value:.0f}"] for kind, value in microseconds.items()]
    show("Start and end of a program that does nothing, and of a thread, in microseconds of processor time",
         ["what", "us"], rows)
    print(f"  The runtime adds {runtime_text:,} bytes of text to a program.")


def elapsed(ratios, table):
    """Of the subjects with threads, if there are any."""
    if ratios:
        show("Elapsed time of programs with threads, on all cores, by plain's", ["subject", *list(table)[1:]],
             [[subject, *(ratio(values[name]) for name in list(table)[1:])] for subject, values in ratios.items()])


def server_costs(medians):
    """Prints them; server -> processor time for a request by plain's."""
    rows, costs = [], {}
    for name, values in medians.items():
        (plain_rate, plain_time), (rate, time) = values["plain"], values["scale"]
        costs[name] = time / plain_time
        rows.append([name, f"{plain_rate:,.0f}", f"{rate:,.0f}", f"{100 * (1 - rate / plain_rate):.1f}%",
                     f"{plain_time * 1e6:.2f}", f"{time * 1e6:.2f}", f"{costs[name]:.3f}"])
    show("Servers under load: requests a second and their loss, the server's processor time for one in microseconds",
         ["server", "plain", "scale", "loss", "plain us", "scale us", "by plain's"], rows)
    return costs
