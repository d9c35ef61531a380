#define _GNU_SOURCE
#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

void clinux_return_freed_memory(void) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
#endif
}

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_address_events(void) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (fd < 0) return -1;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    int code = errno;
    close(fd);
    errno = code;
    return -1;
}

int clinux_directory_events(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int clinux_watch_directory(int fd, const char *path) {
    uint32_t events = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR;
    return inotify_add_watch(fd, path, events) < 0 ? -1 : 0;
}

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

void clinux_set_thread_name(const char *name) {
    char kept[16];
    strncpy(kept, name, sizeof kept - 1);
    kept[sizeof kept - 1] = 0;
    pthread_setname_np(pthread_self(), kept);
}

static int peer(int fd, struct ucred *credentials) {
    socklen_t length = sizeof *credentials;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, &length);
}

long clinux_peer_uid(int fd) {
    struct ucred credentials;
    return peer(fd, &credentials) == 0 ? (long)credentials.uid : -1;
}

long clinux_peer_pid(int fd) {
    struct ucred credentials;
    return peer(fd, &credentials) == 0 ? (long)credentials.pid : -1;
}

// Locks of the open file description: they live until its last descriptor is closed, and can be asked for without being
// taken, so that whoever looks never keeps the owner-to-be from them.
static struct flock whole_file(short type) {
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

int clinux_lock(int fd) {
    struct flock lock = whole_file(F_WRLCK);
    return fcntl(fd, F_OFD_SETLK, &lock);
}

int clinux_is_locked(int fd) {
    struct flock lock = whole_file(F_WRLCK);
    if (fcntl(fd, F_OFD_GETLK, &lock) != 0) return -1;
    return lock.l_type != F_UNLCK;
}

struct spawning {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
};

// A session of its own, with no signal blocked or handled.
static int prepare(struct spawning *new) {
    int result = posix_spawn_file_actions_init(&new->actions);
    if (result != 0) return result;
    result = posix_spawnattr_init(&new->attributes);
    if (result != 0) {
        posix_spawn_file_actions_destroy(&new->actions);
        return result;
    }
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&new->attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&new->attributes, &signals);
    posix_spawnattr_setflags(&new->attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return 0;
}

// It gets the first three descriptors alone.
static int spawn(struct spawning *new, const char *file, char *const argv[], char *const envp[], pid_t *pid) {
    posix_spawn_file_actions_addclosefrom_np(&new->actions, 3);
    int result = posix_spawnp(pid, file, &new->actions, &new->attributes, argv, envp);
    posix_spawnattr_destroy(&new->attributes);
    posix_spawn_file_actions_destroy(&new->actions);
    return result;
}

int clinux_spawn_detached(
    const char *path, char *const argv[], char *const envp[], int log_fd, pid_t *pid) {
    struct spawning new;
    int result = prepare(&new);
    if (result != 0) return result;
    posix_spawn_file_actions_addchdir_np(&new.actions, "/");
    posix_spawn_file_actions_addopen(&new.actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&new.actions, 1, "/dev/null", O_WRONLY, 0);
    if (log_fd >= 0)
        posix_spawn_file_actions_adddup2(&new.actions, log_fd, 2);
    else
        posix_spawn_file_actions_addopen(&new.actions, 2, "/dev/null", O_WRONLY, 0);
    return spawn(&new, path, argv, envp, pid);
}

int clinux_open_pty(char *path, size_t size) {
    int fd = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return -1;
    int code = unlockpt(fd) == 0 ? ptsname_r(fd, path, size) : errno;
    if (code == 0) return fd;
    close(fd);
    errno = code;
    return -1;
}

// The session's leader takes the terminal that it opens first for its own.
int clinux_spawn_in_terminal(
    const char *file, char *const argv[], char *const envp[], const char *terminal, const char *directory, pid_t *pid) {
    struct spawning new;
    int result = prepare(&new);
    if (result != 0) return result;
    posix_spawn_file_actions_addchdir_np(&new.actions, directory);
    posix_spawn_file_actions_addopen(&new.actions, 0, terminal, O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&new.actions, 0, 1);
    posix_spawn_file_actions_adddup2(&new.actions, 0, 2);
    return spawn(&new, file, argv, envp, pid);
}

int clinux_sealed_memory(size_t size) {
    int fd = memfd_create("hoot-pictures", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return -1;
    if (ftruncate(fd, (off_t)size) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return fd;
    int code = errno;
    close(fd);
    errno = code;
    return -1;
}

int clinux_memory_is_sealed(int fd) {
    int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & F_SEAL_SHRINK) != 0;
}

uint64_t clinux_load_acquire(const void *address) {
    return __atomic_load_n((const uint64_t *)address, __ATOMIC_ACQUIRE);
}

void clinux_store_release(void *address, uint64_t value) {
    __atomic_store_n((uint64_t *)address, value, __ATOMIC_RELEASE);
}

void clinux_fence_acquire(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }

void clinux_fence_release(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }

enum { MOST_DESCRIPTORS = 8 };

ssize_t clinux_send_descriptors(int fd, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
    if (descriptor_count < 0 || descriptor_count > MOST_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int) * MOST_DESCRIPTORS)];
    } control;
    memset(&control, 0, sizeof control);
    struct iovec part = {(void *)bytes, count};
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptor_count > 0) {
        size_t size = sizeof(int) * (size_t)descriptor_count;
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(size);
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(&control.header), descriptors, size);
    }
    return sendmsg(fd, &message, MSG_NOSIGNAL);
}

ssize_t clinux_receive_descriptors(
    int fd, void *bytes, size_t count, int *descriptors, int capacity, int *descriptor_count) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int) * MOST_DESCRIPTORS)];
    } control;
    struct iovec part = {bytes, count};
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    *descriptor_count = 0;
    ssize_t received = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    if (received < 0) return -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int found[MOST_DESCRIPTORS];
        size_t size = header->cmsg_len - CMSG_LEN(0);
        if (size > sizeof found) size = sizeof found;
        memcpy(found, CMSG_DATA(header), size);
        for (size_t index = 0; index < size / sizeof(int); index++) {
            if (*descriptor_count < capacity)
                descriptors[(*descriptor_count)++] = found[index];
            else
                close(found[index]);
        }
    }
    return received;
}

int clinux_getopt(
    int restart, int argc, char *const argv[], const char *shorts, const struct option *longs, const char **argument,
    int *next) {
    if (restart) optind = 0;
    opterr = 0;
    int result = getopt_long(argc, argv, shorts, longs, NULL);
    *argument = optarg;
    *next = optind;
    return result;
}
