/** Files end only after their end was announced. */
export const up = `
-- How often: about 30 days before, a week before, and a day before, when it is 3 and the file may be deleted.
alter table assets add column ending_stage smallint not null default 0 check (ending_stage between 0 and 3);
create index assets_announced on assets (ending_stage, expires_at);
drop index assets_expiry;
`
