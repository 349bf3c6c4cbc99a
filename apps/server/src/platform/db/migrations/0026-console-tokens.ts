/** Tables and columns of compute get the names of the glossary: console tokens, and leases of workloads. */
export const up = `
alter table console_tickets rename to console_tokens;
alter index console_tickets_end rename to console_tokens_end;
alter table workloads rename column held_until to leased_until;
`
