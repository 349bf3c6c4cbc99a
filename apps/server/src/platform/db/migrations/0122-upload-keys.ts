/**
 * A key that may not read, or not delete, does so with the uploads in parts that it began only. Parts are read to join them, which is no
 * download as long as it is not repeated.
 */
export const up = `
alter table object_uploads add column key_id text;
alter table object_parts add column opened int not null default 0;
`
