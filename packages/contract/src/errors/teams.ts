import { template, text } from './entry.ts'

/** Errors of teams. */
export const teams = {
  teamUnknown: text('You are not a member of this team.', '您不是该团队的成员。', 2120),
  teamRole: text('Only owners of the team can do this.', '只有团队所有者可以执行此操作。', 2121),
  teamNotEmpty: text(
    'The team still has files or folders. Delete them, and empty the trash first.',
    '团队中仍有文件或文件夹，请先删除并清空回收站。',
    2122,
  ),
  teamFull: template<{ max: number }>(
    2123,
    ({ max }) => `A team can have at most ${max} members and open invitations.`,
    ({ max }) => `每个团队最多 ${max} 名成员（含未接受的邀请）。`,
  ),
  tooManyTeams: template<{ max: number }>(
    2124,
    ({ max }) => `An account of this plan can own at most ${max} ${max === 1 ? 'team' : 'teams'}.`,
    ({ max }) => `该套餐的账号最多可拥有 ${max} 个团队。`,
  ),
  memberExists: text('This person is a member already.', '对方已是团队成员。', 2125),
  memberUnknown: text('The team has no such member.', '团队中没有该成员。', 2126),
  lastOwner: text(
    'A team always has an owner. Make another member an owner first.',
    '团队必须至少有一名所有者，请先将其他成员设为所有者。',
    2127,
  ),
  invitationUnknown: text(
    'This invitation does not exist or has expired. Ask for a new one.',
    '邀请不存在或已过期，请联系团队所有者重新邀请。',
    2128,
  ),
} as const
