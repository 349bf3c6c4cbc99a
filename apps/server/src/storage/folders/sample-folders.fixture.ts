import type { Person, TestEnv } from '../../test-env.fixture.ts'

/** Calls about folders, as tests make them. `made` returns the id of the new folder; `parent` 0 is the root. */
export function sampleFolders(env: () => TestEnv) {
  const create = (person: Person, name: string, parent = 0) => env().call('folders.create', { name, parent }, person)
  return {
    create,
    made: async (person: Person, name: string, parent = 0) => (await create(person, name, parent)).data.group.ID,
    contents: async (person: Person, parent = 0, page = 1, page_size = 100) =>
      (await env().call('folders.contents', { parent, page, page_size }, person)).data,
  }
}
