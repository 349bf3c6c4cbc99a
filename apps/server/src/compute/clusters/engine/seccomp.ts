/** A filter of calls, as runtimes read it. */
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
 * What Podman's own filter lets through and no workload has a use for: namespaces of one's own, in which the whole kernel can be asked for
 * anything, mounts in them, and the keys of the account that containers share with this machine.
 */
const CLOSED = [
  ...['unshare', 'setns', 'pivot_root', 'mount', 'umount', 'umount2', 'mount_setattr', 'move_mount', 'open_tree'],
  ...['fsopen', 'fsmount', 'fsconfig', 'fspick', 'keyctl', 'add_key', 'request_key', 'syslog', 'reboot', 'pidfd_getfd'],
  ...['userfaultfd', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'],
]
/** Every flag of `clone` that asks for a namespace. */
const NAMESPACES = 0x7e02_0000

/** The same filter without those. `clone3`, whose flags no filter sees, is as if it did not exist: everybody then uses `clone`. */
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
