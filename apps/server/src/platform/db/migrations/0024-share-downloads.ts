/** Columns and tables of storage get the names of the glossary: downloads of shares, and the nodes that reading is restricted to. */
export const up = `
alter table assets rename column visits to downloads;
alter table trashed_assets rename column visits to downloads;
alter table folders rename column visits to downloads;
alter table trashed_folders rename column visits to downloads;
alter table visits rename to share_downloads;
alter table assets rename column only_from to restricted_to;
alter table trashed_assets rename column only_from to restricted_to;
alter table temp_files rename column only_from to restricted_to;
`
