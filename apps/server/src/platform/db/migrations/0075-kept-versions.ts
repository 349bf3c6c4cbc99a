/** A version that its owner deleted: when it would have been deleted otherwise, so that undoing it gives back the time. */
export const up = `
alter table asset_versions add column kept_until timestamptz;
`
