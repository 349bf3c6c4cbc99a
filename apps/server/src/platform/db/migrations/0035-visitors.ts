/** What visitors from one network use up of a sharer's download traffic is limited. */
export const up = `
-- A hash of the sharer and the visitor's network; null for downloads by the owner, anonymous files and earlier releases.
alter table traces add column visitor text;
create index traces_visitor on traces (account, visitor, created_at) where visitor is not null;
`
