/** How the checksum of an object comes from those of its parts, which the client says when it begins; empty: as the algorithm has it. */
export const up = `
alter table object_uploads add column checksum_type text not null default '';
`
