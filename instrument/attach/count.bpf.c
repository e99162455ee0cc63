/* SPDX-License-Identifier: MIT */
/*
 * The part in the kernel: counts entries into functions by the processes of one run. These are the process that
 * scale-run starts, from its exec on, and all that descend from it, which fork and exit tell of. So neither a control
 * group has to be made nor the program moved into one, and a process that leaves its session or group stays counted.
 */
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

typedef __u64 u64;
typedef __u32 u32;
#include "count.h"

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
struct task_struct {
  int tgid;
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

SEC("uprobe")
int scale_count(void *context)
{
  u32 process = bpf_get_current_pid_tgid() >> 32;
  u32 *image = bpf_map_lookup_elem(&members, &process);
  if (!image)
    return 0;
  u32 place = *image * setup.functions + (u32)bpf_get_attach_cookie(context);
  u64 *count = bpf_map_lookup_elem(&counts, &place);
  if (count) /* atomic: another thread may take this processor in between */
    __sync_fetch_and_add(count, 1);
  return 0;
}

SEC("raw_tp/sched_process_fork")
int scale_fork(struct bpf_raw_tracepoint_args *context)
{
  struct task_struct *parent = (void *)context->args[0], *child = (void *)context->args[1];
  u32 from = BPF_CORE_READ(parent, tgid), to = BPF_CORE_READ(child, tgid);
  u32 *image = bpf_map_lookup_elem(&members, &from);
  if (!image)
    return 0;
  __sync_fetch_and_add(&state.threads, 1);
  if (from == to)
    return 0;
  __sync_fetch_and_add(&state.processes, 1);
  if (bpf_map_update_elem(&members, &to, image, BPF_ANY))
    __sync_fetch_and_add(&state.lost, 1);
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

SEC("raw_tp/sched_process_exec")
int scale_exec(struct bpf_raw_tracepoint_args *context)
{
  u32 process = bpf_get_current_pid_tgid() >> 32;
  if (!bpf_map_lookup_elem(&members, &process) && !is_seed())
    return 0;
  struct task_struct *task = (void *)bpf_get_current_task();
  struct scale_image image = {};
  bpf_probe_read_kernel_str(image.name, sizeof image.name,
                            BPF_CORE_READ(task, mm, exe_file, f_path.dentry, d_name.name));
  u32 number = image_number(&image);
  if (number < SCALE_IMAGES && !bpf_map_update_elem(&members, &process, &number, BPF_ANY))
    return 0;
  bpf_map_delete_elem(&members, &process);
  __sync_fetch_and_add(&state.lost, 1);
  return 0;
}

SEC("raw_tp/sched_process_exit")
int scale_exit(struct bpf_raw_tracepoint_args *context)
{
  struct task_struct *task = (void *)context->args[0];
  u32 process = BPF_CORE_READ(task, tgid);
  if (BPF_CORE_READ(task, signal, live.counter) == 0) /* the last of its threads */
    bpf_map_delete_elem(&members, &process);
  return 0;
}

/* Some of the helpers are for free software only; this says so in the kernel's words. */
char scale_license[] SEC("license") = "Dual MIT/GPL";
