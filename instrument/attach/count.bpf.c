/* SPDX-License-Identifier: MIT */
/*
 * The part in the kernel: counts entries into functions by the processes of one run. These are the process that
 * scale-run starts, from its exec on, and all that descend from it, which fork and exit tell of. So neither a control
 * group has to be made nor the program moved into one, and a process that leaves its session or group stays counted.
 * Of functions that a probe set describes it also tells of each call, with the values that the set asks for; what that
 * means for the resource is made of it outside (runner/process/caught.c), in this order.
 */
#include <linux/bpf.h>
#include <linux/ptrace.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

typedef __u64 u64;
typedef __u32 u32;
#include "consumed.h"
#include "count.h"
#include "happened.h"

/* The few fields of the kernel's own types that are read; where they are is found when this is loaded (CO-RE). */
#define KERNEL __attribute__((preserve_access_index))
struct qstr {
  const unsigned char *name;
} KERNEL;
struct dentry {
  struct qstr d_name;
} KERNEL;
struct path {
  struct dentry *dentry;
} KERNEL;
struct file {
  struct path f_path;
} KERNEL;
struct mm_struct {
  struct file *exe_file;
} KERNEL;
typedef struct {
  int counter;
} KERNEL atomic_t;
struct signal_struct {
  atomic_t live;
} KERNEL;
struct sched_entity {
  u64 sum_exec_runtime;
} KERNEL;
struct sched_info {
  unsigned long long run_delay;
} KERNEL;
struct task_io_accounting {
  u64 read_bytes, write_bytes;
} KERNEL;
struct uprobe_task {
  unsigned int depth;
} KERNEL;
struct task_struct {
  int pid, tgid;
  unsigned long nvcsw, min_flt, maj_flt;
  struct sched_entity se;
  struct sched_info sched_info;
  struct task_io_accounting ioac;
  struct uprobe_task *utask;
  struct mm_struct *mm;
  struct signal_struct *signal;
} KERNEL;

const volatile struct scale_setup setup;
struct scale_state state;

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, SCALE_MEMBERS);
  __type(key, u32);   /* process */
  __type(value, u32); /* number of its image */
} members SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, SCALE_MEMBERS);
  __type(key, u32);   /* process that was there before the run, as the setup's namespace numbers it */
  __type(value, u32); /* number of its image */
} joining SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, u32);
  __type(value, struct scale_control);
} control SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, SCALE_IMAGES);
  __type(key, struct scale_image);
  __type(value, u32);
} images SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1); /* images * functions, set when it is loaded */
  __type(key, u32);
  __type(value, u64);
} counts SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, SCALE_IMAGES);
  __type(key, u32);
  __type(value, struct scale_consumed); /* by threads that ended, in all their lives */
} ended SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1); /* functions, set when it is loaded */
  __type(key, u32);
  __type(value, struct scale_capture);
} captures SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 1); /* set when it is loaded */
} happenings SEC(".maps");

struct entered {
  u64 time, values[SCALE_VALUES];
  u32 unread, switches;
};
struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 1); /* set when it is loaded */
  __type(key, struct scale_call);
  __type(value, struct entered);
} calls SEC(".maps");

/* Makes the current process a member if sc_catch_join listed it. NULL: it did not. */
static u32 *join(u32 process)
{
  struct bpf_pidns_info info = {};
  if (!setup.joins || bpf_get_ns_current_pid_tgid(setup.device, setup.inode, &info, sizeof info))
    return 0;
  u32 own = info.tgid, *image = bpf_map_lookup_elem(&joining, &own), number;
  if (!image)
    return 0;
  number = *image;
  if (bpf_map_update_elem(&members, &process, &number, BPF_ANY))
    __sync_fetch_and_add(&state.lost, 1);
  bpf_map_delete_elem(&joining, &own);
  return bpf_map_lookup_elem(&members, &process);
}

/* Nothing is counted or reported while the results are read, which would otherwise never end. */
static int is_over(void)
{
  u32 first = 0;
  struct scale_control *now = bpf_map_lookup_elem(&control, &first);
  return now && now->over;
}

/* Image of the process that runs; NULL: it is not of the run. */
static u32 *find_member(u32 process)
{
  u32 *image = bpf_map_lookup_elem(&members, &process);
  if (is_over())
    return 0;
  return image ? image : join(process);
}

/* Its image; NULL: the process is not of the run. */
static u32 *count_call(void *context)
{
  u32 *image = find_member(bpf_get_current_pid_tgid() >> 32);
  if (!image)
    return 0;
  u32 place = *image * setup.functions + (u32)bpf_get_attach_cookie(context);
  u64 *count = bpf_map_lookup_elem(&counts, &place);
  if (count) /* atomic: another thread may take this processor in between */
    __sync_fetch_and_add(count, 1);
  return image;
}

SEC("uprobe")
int scale_count(void *context)
{
  count_call(context);
  return 0;
}

static void lose(void) { __sync_fetch_and_add(&state.untold, 1); }

/* Whoever reads looks often enough by itself: waking it would cost as much as the trap. */
static void tell(const struct scale_happened *what)
{
  if (bpf_ringbuf_output(&happenings, (void *)what, sizeof *what, BPF_RB_NO_WAKEUP))
    lose();
}

static void tell_process(u32 kind, u32 process, u32 thread, u32 image)
{
  struct scale_happened what = {
      .time = bpf_ktime_get_ns(), .process = process, .thread = thread, .image = image, .kind = kind};
  if (setup.tells)
    tell(&what);
}

enum { ARGUMENT_PLACES = 8 /* a power of 2, so that a place is seen to be one of them */ };

static void read_arguments(struct pt_regs *context, u64 *to)
{
  to[0] = PT_REGS_PARM1(context);
  to[1] = PT_REGS_PARM2(context);
  to[2] = PT_REGS_PARM3(context);
  to[3] = PT_REGS_PARM4(context);
  to[4] = PT_REGS_PARM5(context);
#ifdef __TARGET_ARCH_x86 /* libbpf 1.1 has no name for it */
  to[5] = context->r9;
#else
  to[5] = ((struct user_pt_regs *)context)->regs[5];
#endif
}

static void read_field(u64 *value, u32 offset, u32 *unread, u32 bit)
{
  u64 found = 0;
  if (bpf_probe_read_user(&found, sizeof found, (void *)(*value + offset)))
    *unread |= bit;
  *value = found;
}

/* Whether the kernel will see the call return: it follows 64 returns of a thread at one time (MAX_URETPROBE_DEPTH), and
 * says nothing of more. */
enum { RETURNS_FOLLOWED = 64 };

static int returns_unseen(void)
{
  struct task_struct *task = (void *)bpf_get_current_task();
  return bpf_core_field_exists(((struct uprobe_task *)0)->depth) &&
         BPF_CORE_READ(task, utask, depth) >= RETURNS_FOLLOWED;
}

/* How often the thread gave up its processor to wait. */
static u32 read_switches(void)
{
  struct task_struct *task = (void *)bpf_get_current_task();
  return (u32)BPF_CORE_READ(task, nvcsw);
}

/* What scale_leave needs. An entry that finds no room is lost there, where all calls of the run are seen. */
static void await_return(u64 thread, u64 stack, u32 function, const struct entered *here)
{
  struct scale_call key = {thread, stack, function};
  if (returns_unseen())
    lose();
  else if (bpf_map_update_elem(&calls, &key, here, BPF_ANY) && setup.joins)
    lose(); /* scale_leave takes it for a call that began before */
}

SEC("uprobe")
int scale_enter(struct pt_regs *context)
{
  u32 *image = count_call(context), function = (u32)bpf_get_attach_cookie(context);
  struct scale_capture *wanted = image ? bpf_map_lookup_elem(&captures, &function) : 0;
  if (!wanted)
    return 0;
  struct entered here = {.time = bpf_ktime_get_ns(), .switches = read_switches()};
  u64 arguments[ARGUMENT_PLACES] = {};
  read_arguments(context, arguments);
#pragma unroll
  for (u32 i = 0; i < SCALE_VALUES; i++) {
    if (i >= wanted->values)
      break;
    here.values[i] = arguments[wanted->value[i].argument % ARGUMENT_PLACES];
    if (wanted->value[i].from == SCALE_VALUE_BEFORE)
      read_field(&here.values[i], wanted->value[i].offset, &here.unread, 1u << i);
  }
  u64 thread = bpf_get_current_pid_tgid();
  if (wanted->tells & SCALE_TELLS_RETURN)
    await_return(thread, PT_REGS_SP(context), function, &here);
  if (wanted->tells & SCALE_TELLS_ENTRY) {
    struct scale_happened what = {.time = here.time,
                                  .process = thread >> 32,
                                  .thread = (u32)thread,
                                  .image = *image,
                                  .kind = SCALE_HAPPENED_ENTRY,
                                  .function = function,
                                  .unread = here.unread};
    __builtin_memcpy(what.values, here.values, sizeof what.values);
    tell(&what);
  }
  return 0;
}

SEC("uretprobe")
int scale_leave(struct pt_regs *context)
{
  u32 function = (u32)bpf_get_attach_cookie(context);
  u64 thread = bpf_get_current_pid_tgid();
  u32 process = thread >> 32;
  struct scale_call key = {thread, PT_REGS_SP(context), function};
#ifdef __TARGET_ARCH_x86
  key.stack -= 8; /* the return took the address off the stack */
#endif
  u32 *image = find_member(process);
  struct scale_capture *wanted = image ? bpf_map_lookup_elem(&captures, &function) : 0;
  struct entered *here = wanted ? bpf_map_lookup_elem(&calls, &key) : 0;
  if (!here) { /* there was no room; or another process entered it, which forked within; or it was before the run */
    if (wanted && !setup.joins)
      lose();
    return 0;
  }
  struct scale_happened what = {.time = bpf_ktime_get_ns(),
                                .began = here->time,
                                .process = process,
                                .thread = (u32)thread,
                                .image = *image,
                                .kind = SCALE_HAPPENED_RETURN,
                                .function = function,
                                .switches = read_switches() - here->switches,
                                .result = PT_REGS_RC(context)};
  u32 unread = here->unread;
#pragma unroll
  for (u32 i = 0; i < SCALE_VALUES; i++) {
    u64 value = here->values[i];
    if (i < wanted->values && wanted->value[i].from == SCALE_VALUE_AFTER)
      read_field(&value, wanted->value[i].offset, &unread, 1u << i);
    what.values[i] = value;
  }
  what.unread = unread;
  bpf_map_delete_elem(&calls, &key);
  tell(&what);
  return 0;
}

SEC("raw_tp/sched_process_fork")
int scale_fork(struct bpf_raw_tracepoint_args *context)
{
  struct task_struct *parent = (void *)context->args[0], *child = (void *)context->args[1];
  u32 from = BPF_CORE_READ(parent, tgid), to = BPF_CORE_READ(child, tgid);
  u32 *image = find_member(from);
  if (!image)
    return 0;
  __sync_fetch_and_add(&state.threads, 1);
  if (from == to)
    return 0;
  __sync_fetch_and_add(&state.processes, 1);
  if (bpf_map_update_elem(&members, &to, image, BPF_ANY))
    __sync_fetch_and_add(&state.lost, 1);
  else
    tell_process(SCALE_HAPPENED_BEGIN, to, to, *image);
  return 0;
}

/* Whether this is the process that the run begins with. */
static int is_seed(void)
{
  struct bpf_pidns_info info = {};
  if (!state.seed || bpf_get_ns_current_pid_tgid(setup.device, setup.inode, &info, sizeof info) ||
      info.tgid != state.seed)
    return 0;
  state.seed = 0;
  state.processes = state.threads = 1;
  return 1;
}

/* The number of an executable's name; SCALE_IMAGES: there are too many. */
static u32 image_number(const struct scale_image *image)
{
  u32 *known = bpf_map_lookup_elem(&images, image), fresh;
  if (known)
    return *known;
  fresh = __sync_fetch_and_add(&state.images, 1);
  if (fresh < SCALE_IMAGES && !bpf_map_update_elem(&images, image, &fresh, BPF_NOEXIST))
    return fresh;
  known = bpf_map_lookup_elem(&images, image); /* by another process meanwhile */
  return known ? *known : SCALE_IMAGES;
}

/* Of the process that runs. False: it cannot be followed, and is lost. */
static int become_member(u32 process, u32 *number)
{
  struct task_struct *task = (void *)bpf_get_current_task();
  struct scale_image image = {};
  bpf_probe_read_kernel_str(image.name, sizeof image.name,
                            BPF_CORE_READ(task, mm, exe_file, f_path.dentry, d_name.name));
  *number = image_number(&image);
  if (*number < SCALE_IMAGES && !bpf_map_update_elem(&members, &process, number, BPF_ANY))
    return 1;
  bpf_map_delete_elem(&members, &process);
  __sync_fetch_and_add(&state.lost, 1);
  return 0;
}

SEC("raw_tp/sched_process_exec")
int scale_exec(struct bpf_raw_tracepoint_args *context)
{
  u32 process = bpf_get_current_pid_tgid() >> 32, number;
  if (!find_member(process) && !is_seed())
    return 0;
  if (become_member(process, &number))
    tell_process(SCALE_HAPPENED_BEGIN, process, process, number);
  return 0;
}

/* Kernels may be built without some of these. */
#define SPEND(what, field)                                     \
  if (bpf_core_field_exists(((struct task_struct *)0)->field)) \
  __sync_fetch_and_add(&sum->what, BPF_CORE_READ(task, field))

/* Whoever reads the others in /proc finds nothing there of a thread that ended. */
static void keep_consumed(struct task_struct *task, u32 image)
{
  struct scale_consumed *sum = bpf_map_lookup_elem(&ended, &image);
  if (!sum)
    return;
  SPEND(processor, se.sum_exec_runtime);
  SPEND(queued, sched_info.run_delay);
  SPEND(minor, min_flt);
  SPEND(major, maj_flt);
  SPEND(read, ioac.read_bytes);
  SPEND(written, ioac.write_bytes);
}

SEC("raw_tp/sched_process_exit")
int scale_exit(struct bpf_raw_tracepoint_args *context)
{
  struct task_struct *task = (void *)context->args[0];
  u32 process = BPF_CORE_READ(task, tgid);
  u32 *image = find_member(process);
  if (!image)
    return 0;
  keep_consumed(task, *image);
  if (BPF_CORE_READ(task, signal, live.counter) != 0) {
    tell_process(SCALE_HAPPENED_GONE, process, BPF_CORE_READ(task, pid), *image);
    return 0;
  }
  tell_process(SCALE_HAPPENED_END, process, process, *image); /* that was the last of its threads */
  bpf_map_delete_elem(&members, &process);
  return 0;
}

/* Some of the helpers are for free software only; this says so in the kernel's words. */
char scale_license[] SEC("license") = "Dual MIT/GPL";
