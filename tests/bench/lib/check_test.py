# SPDX-License-Identifier: GPL-3.0-or-later
"""What is held against overhead.limits: of some subjects no mean, as its limit is that of all."""
import check

limits = {("text", "fib"): 3.0, ("text", "lua"): 1.5, ("text", "mean"): 2.0, ("dormant", "fib"): 1.0}
both = check.with_mean(limits, "text", {"fib": 2.9, "lua": 1.4})
assert abs(both["text", "mean"] - (2.9 * 1.4) ** 0.5) < 1e-9
assert check.compare(limits, both) == 1  # 2.015 is above the mean's limit
alone = check.with_mean(limits, "text", {"fib": 2.9})
assert list(alone) == [("text", "fib")]
assert check.compare(limits, alone) == 0
assert check.compare(limits, {("text", "nosuch"): 1.0}) == 1
assert all(check.read_limits()[kind, "mean"] > 1 for kind in ("instructions", "dormant", "copies", "text", "server"))
