/** Edges are vetted when they were there for long enough, and few lose their vetting at once. */
export const up = `
-- When a vetted edge last lost its vetting because of failed audits.
alter table nodes add column unvetted_at timestamptz;
-- Periods of six hours in which it passed an audit, since its vetting began, and the last of them.
alter table nodes add column audited_periods integer not null default 0;
alter table nodes add column audited_period timestamptz;
update nodes set audited_periods = least(audits_passed, extract(epoch from now() - coalesce(vetting_since, created_at)) / 21600)
  where kind = 'edge' and vetted_at is null;
`
