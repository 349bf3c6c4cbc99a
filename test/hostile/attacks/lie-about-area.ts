import type { Attack } from '../harness.ts'

/** Says that it is where it is not, so that it gets the files of people who chose that area. */
export default {
  name: 'lie about the area',
  area: 'Antarctica-Antarctica-Antarctica-Antarctica',
  bend: () => ({}),
  async gains({ id }, { env }) {
    const { data } = await env.call('uploads.info', { size: 1000, area_id: ['Antarctica'] }, await env.person())
    const offered = data?.List?.some(({ NodeID }) => NodeID === id)
    return { 'uploads offered for a made-up area': offered ? 1 : 0 }
  },
} satisfies Attack
