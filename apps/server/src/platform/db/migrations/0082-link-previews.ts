/** Previews by a short link with a download limit, which deliver the same bytes as downloads. */
export const up = `
alter table short_links add column previews integer not null default 0;
`
