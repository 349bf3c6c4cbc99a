/** Agents of the support chat, who are no operators. */
export const up = `
alter table users drop constraint users_role_check;
alter table users add constraint users_role_check check (role in ('test', 'user', 'enterprise', 'agent', 'operator'));
`
