import { expect, it } from 'vitest'
import { changesOf, isNothing } from './program-changes.ts'

const workload = { image: 'docker.io/library/nginx:1.27', env: ['A', 'B'], ports: [{ port: 80, address: '' }] }
const kept = (name: string, value = '') => ({ name, value, kept: true })
const form = { image: workload.image, env: [kept('A'), kept('B')], ports: [80] }

it('what was left as it is is no change', () => {
  expect(isNothing(changesOf(workload, form))).toBe(true)
  expect(isNothing(changesOf(workload, { ...form, image: '', env: [...form.env, { name: '', value: '' }] }))).toBe(true)
})

it('each change is told alone', () => {
  expect(changesOf(workload, { ...form, image: 'nginx:1.29' })).toEqual({ image: 'nginx:1.29' })
  expect(changesOf(workload, { ...form, env: [kept('A', 'new'), kept('B')] })).toEqual({ env: { A: 'new' } })
  expect(changesOf(workload, { ...form, env: [kept('A')] })).toEqual({ unset: ['B'] })
  expect(changesOf(workload, { ...form, ports: [] })).toEqual({ ports: [] })
  expect(changesOf(workload, { ...form, ports: [80, 443] })).toEqual({ ports: [80, 443] })
})

it('a new variable may be empty, and one that comes back under its name is replaced', () => {
  expect(changesOf(workload, { ...form, env: [...form.env, { name: 'C', value: '' }] })).toEqual({ env: { C: '' } })
  expect(changesOf(workload, { ...form, env: [kept('A'), { name: 'B', value: '' }] })).toEqual({ env: { B: '' } })
})
