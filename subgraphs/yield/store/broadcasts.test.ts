import { expect, it } from 'vitest'
import { startYieldHarness } from '../../../test/harness/yield.js'

const { deps, clock } = await startYieldHarness()
const { broadcasts } = deps
const DAY_MS = 86_400_000

it('a broadcast answers the same bytes for 30 days, and is removed after that', async () => {
  const rowOf = (signature: string) => ({ tenantId: 'tenant', signature, chainName: 'solana', wire: 'wire' })
  const add = (signature: string) => broadcasts.add(rowOf(signature))
  const known = () => Promise.all(['landed', 'open', 'newer'].map((signature) => broadcasts.find('tenant', signature)))
  await add('landed')
  await add('open')
  await broadcasts.finish(rowOf('landed'), { slot: 7, error: null })
  clock.advance(29 * DAY_MS)
  await add('newer')
  await broadcasts.removeOld()
  expect(await known()).toEqual([{ state: 'confirmed', slot: 7 }, { state: 'stored' }, { state: 'stored' }])
  clock.advance(DAY_MS + 1)
  await broadcasts.removeOld()
  expect(await known()).toEqual([undefined, undefined, { state: 'stored' }])
})

it('what landed is kept as that, whether it was added before or not', async () => {
  const rowOf = (signature: string) => ({ tenantId: 'another', signature, chainName: 'solana', wire: 'wire' })
  const error = { InstructionError: [2, { Custom: 6003 }] }
  await broadcasts.add(rowOf('added'))
  for (const signature of ['added', 'unknown']) {
    await broadcasts.finish(rowOf(signature), { slot: 7, error })
    await broadcasts.add(rowOf(signature))
    expect(await broadcasts.find('another', signature)).toEqual({ state: 'failed', slot: 7, error })
  }
})

it('what was surely not sent is forgotten, and what landed is not', async () => {
  const rowOf = (signature: string) => ({ tenantId: 'third', signature, chainName: 'solana', wire: 'wire' })
  await broadcasts.add(rowOf('unsent'))
  await broadcasts.finish(rowOf('landed'), { slot: 7, error: null })
  for (const signature of ['unsent', 'landed']) await broadcasts.remove(rowOf(signature))
  expect(await broadcasts.find('third', 'unsent')).toBeUndefined()
  expect(await broadcasts.find('third', 'landed')).toEqual({ state: 'confirmed', slot: 7 })
})
