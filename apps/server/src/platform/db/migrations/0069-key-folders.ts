/** API keys are limited to folders. */
export const up = `
-- Ids of folders; null: not limited. They are not cleared when a folder is deleted: the key must not get access to everything, and has
-- access again when the folder is restored.
alter table api_keys add column folders int[] check (cardinality(folders) between 1 and 20);
`
