/** The dashboard says which files of an account end soon. */
export const up = `
create index assets_ends on assets (user_id, expires_at);
`
