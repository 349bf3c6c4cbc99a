import { expect, it } from 'vitest'
import { changesOf, isUnchanged } from './program-changes.ts'

const workload = {
  image: 'docker.io/library/nginx:1.27',
  command: ['nginx', '-g', 'daemon off;'],
  env: ['A', 'B'],
  ports: [{ port: 80, address: '', url: '', access: 'account' as const }],
}
const existing = (name: string, value = '') => ({ name, value, existing: true })
const form = {
  image: workload.image,
  command: "nginx  -g 'daemon off;'",
  env: [existing('A'), existing('B')],
  ports: [80],
}

it('detects that nothing was changed', () => {
  expect(isUnchanged(changesOf(workload, form))).toBe(true)
  expect(isUnchanged(changesOf(workload, { ...form, image: '', env: [...form.env, { name: '', value: '' }] }))).toBe(
    true,
  )
})

it('contains only changed settings', () => {
  expect(changesOf(workload, { ...form, image: 'nginx:1.29' })).toEqual({ image: 'nginx:1.29' })
  expect(changesOf(workload, { ...form, command: 'sleep 60' })).toEqual({ command: ['sleep', '60'] })
  expect(changesOf(workload, { ...form, command: ' ' })).toEqual({ command: [] })
  expect(changesOf(workload, { ...form, env: [existing('A', 'new'), existing('B')] })).toEqual({ env: { A: 'new' } })
  expect(changesOf(workload, { ...form, env: [existing('A')] })).toEqual({ unset: ['B'] })
  expect(changesOf(workload, { ...form, ports: [] })).toEqual({ ports: [] })
  expect(changesOf(workload, { ...form, ports: [80, 443] })).toEqual({ ports: [80, 443] })
})

it('accepts an empty new variable and replaces one that was removed and added again', () => {
  expect(changesOf(workload, { ...form, env: [...form.env, { name: 'C', value: '' }] })).toEqual({ env: { C: '' } })
  expect(changesOf(workload, { ...form, env: [existing('A'), { name: 'B', value: '' }] })).toEqual({ env: { B: '' } })
})
