/** A seccomp profile, in the format of OCI runtimes. */
export interface Filter {
  syscalls: {
    names: string[]
    action: string
    args?: { index: number; value: number; valueTwo: number; op: string }[]
    includes?: object
    excludes?: object
    errnoRet?: number
    errno?: string
  }[]
  [more: string]: unknown
}

/**
 * System calls that Podman's profile allows and no workload needs: namespaces, which expose more of the kernel, mounts, and the key rings
 * of the user that containers share with this machine.
 */
const CLOSED = [
  ...['unshare', 'setns', 'pivot_root', 'mount', 'umount', 'umount2', 'mount_setattr', 'move_mount', 'open_tree'],
  ...['fsopen', 'fsmount', 'fsconfig', 'fspick', 'keyctl', 'add_key', 'request_key', 'syslog', 'reboot', 'pidfd_getfd'],
  ...['userfaultfd', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'],
]
/** All flags of `clone` that create a namespace. */
const NAMESPACES = 0x7e02_0000

/** The same profile without these calls. A filter cannot read the flags of `clone3`, so it fails with ENOSYS and programs use `clone`. */
export function closedFilter(filter: Filter): Filter {
  const named = new Set([...CLOSED, 'clone', 'clone3'])
  const left = filter.syscalls
    .map((group) => ({ ...group, names: group.names.filter((name) => !named.has(name)) }))
    .filter(({ names }) => names.length > 0)
  const args = [{ index: 0, value: NAMESPACES, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }]
  return {
    ...filter,
    syscalls: [
      ...left,
      { names: ['clone'], action: 'SCMP_ACT_ALLOW', args },
      { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38, errno: 'ENOSYS' },
      { names: CLOSED, action: 'SCMP_ACT_ERRNO', errnoRet: 1, errno: 'EPERM' },
    ],
  }
}
