#pragma once
// Linux calls that Swift's Glibc module does not show: each wrapper is named clinux_<call>.
// _GNU_SOURCE stays out of this header: it would change fd_set, and with it clash with every other C module.
#include <getopt.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// eventfd(2), non-blocking and close-on-exec. Returns the descriptor, or -1 with errno.
int clinux_eventfd(void);
/// A netlink socket (rtnetlink(7)), non-blocking and close-on-exec, that becomes readable when an address or an interface
/// comes, goes or changes. Returns the descriptor, or -1 with errno.
int clinux_address_events(void);
/// An inotify(7) descriptor, non-blocking and close-on-exec, that becomes readable when something in a directory of
/// `clinux_watch_directory` comes or goes. Returns the descriptor, or -1 with errno.
int clinux_directory_events(void);
/// Adds `path` to what an inotify descriptor watches; again is the same. Returns 0, or -1 with errno.
int clinux_watch_directory(int fd, const char *path);
/// pipe2(2), close-on-exec from the start. Returns 0, or -1 with errno.
int clinux_pipe(int ends[2]);
/// Names the calling thread (at most 15 bytes are kept).
void clinux_set_thread_name(const char *name);
/// uid of the peer of a connected Unix socket, or -1 with errno.
long clinux_peer_uid(int fd);
/// pid of the peer of a connected Unix socket, or -1 with errno.
long clinux_peer_pid(int fd);
/// Takes the exclusive lock of an open file without waiting; it goes with the last descriptor of that opening. Returns 0,
/// or -1 with errno (EAGAIN: another opening has it).
int clinux_lock(int fd);
/// Whether another opening of the file has the lock of `clinux_lock`: 1 or 0, or -1 with errno. Takes nothing.
int clinux_is_locked(int fd);
/// Starts `path` in a session of its own, in `/`, with no signal blocked or ignored, with the three standard descriptors on /dev/null or `log_fd` (standard
/// error; -1: /dev/null) and every descriptor above them closed. Returns 0 or an errno value; `*pid` is the child.
int clinux_spawn_detached(
    const char *path, char *const argv[], char *const envp[], int log_fd, pid_t *pid);

/// Has large blocks (256 KiB) go back to the system when they are freed, whatever was freed before. glibc keeps what is as
/// large as the largest block that was ever freed, in the arena of each thread: tens of megabytes of codecs that ended.
void clinux_return_freed_memory(void);
/// A memory of `size` bytes that can never change its size (memfd_create(2) with seals), close-on-exec. Returns the
/// descriptor, or -1 with errno.
int clinux_sealed_memory(size_t size);
/// Whether a memory can never shrink: 1 or 0.
int clinux_memory_is_sealed(int fd);
/// Loads a number of shared memory, aligned to 8 bytes, before anything that follows.
uint64_t clinux_load_acquire(const void *address);
/// Stores a number of shared memory, aligned to 8 bytes, after anything that went before.
void clinux_store_release(void *address, uint64_t value);
/// What was loaded before stays before what follows.
void clinux_fence_acquire(void);
/// What was stored before stays before what follows.
void clinux_fence_release(void);
/// send(2) without SIGPIPE, with descriptors that arrive with the first byte. Returns the bytes sent, or -1 with errno.
ssize_t clinux_send_descriptors(int fd, const void *bytes, size_t count, const int *descriptors, int descriptor_count);
/// recv(2) that also takes descriptors, close-on-exec: `*descriptor_count` of them, at most `capacity`; further ones are
/// closed. Returns the bytes received, or -1 with errno.
ssize_t clinux_receive_descriptors(
    int fd, void *bytes, size_t count, int *descriptors, int capacity, int *descriptor_count);

/// A new pseudo terminal: returns the master, close-on-exec, and puts the slave's path into `path`; or -1 with errno.
int clinux_open_pty(char *path, size_t size);
/// Starts `file`, looked for in $PATH, as the leader of a session of its own whose terminal is the slave at `terminal`, in `directory`, with no
/// signal blocked or ignored and every descriptor above the three standard ones closed. Returns 0 or an errno value;
/// `*pid` is the child.
int clinux_spawn_in_terminal(
    const char *file, char *const argv[], char *const envp[], const char *terminal, const char *directory, pid_t *pid);

/// One step of getopt_long(3), which keeps its state in globals: returns the option's value, '?' for an unknown one,
/// ':' for a missing argument, -1 at the end. `*argument` is the option's argument, `*next` the index of the next word.
/// Begin with `restart` non-zero. Prints nothing.
int clinux_getopt(
    int restart, int argc, char *const argv[], const char *shorts, const struct option *longs, const char **argument,
    int *next);

#ifdef __cplusplus
}
#endif
