/** By which a server knows the folder that a gateway made for a file without raw leaves, when the gateway died before it said so. */
export const up = `
alter table imports add column wrapped_bytes bigint not null default 0;
`
