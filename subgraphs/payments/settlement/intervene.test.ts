import { describe, expect, it } from 'vitest'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { intervene } from './intervene.js'
import { settleChainJob } from './settlement-jobs.js'

const harness = await startSettlementHarness()
const { deps, chain } = harness
const [port] = deps.payoutChains.evm ?? []
if (!port) throw new Error('there is no treasury')

/** As many as are carried out in one run. */
const FAILING = 20

/** Writes a decision down about a transaction that does not exist. */
async function order(batchId: string): Promise<void> {
  const given = { id: `decision-${batchId}`, chainName: chain.name, batchId, action: 'cancel', reason: null } as const
  await deps.interventions.transaction((em) =>
    deps.interventions.order(em, { ...given, orderedBy: 'ana', proposedBy: null }, settleChainJob(chain.name)),
  )
  await harness.advance(1)
}

describe('decisions that cannot be carried out, as many as one run takes', () => {
  it('keep none behind them from its turn, and are tried again', async () => {
    for (let index = 0; index < FAILING; index += 1) await order(`bad${index}`)
    await order('good')
    const tried: string[] = []
    const findVersions: typeof deps.landed.findVersions = (of) => {
      tried.push(of.batchId)
      return of.batchId === 'good' ? deps.landed.findVersions(of) : Promise.reject(new Error('it cannot be'))
    }
    const of = { deps: { ...deps, landed: { ...deps.landed, findVersions } }, chain }
    const all = { ...of, treasuries: [{ ...of, port }] }
    expect(await intervene(all)).toBe(true)
    expect(tried).not.toContain('good')
    expect(await intervene(all)).toBe(true)
    expect(await deps.interventions.find('decision-good')).toMatchObject({ state: 'refused' })
    expect(tried.slice(FAILING)).toEqual(['good', ...Array.from({ length: FAILING - 1 }, (_, index) => `bad${index}`)])
    expect(await intervene(all)).toBe(true)
    expect(tried.slice(2 * FAILING, 2 * FAILING + 2)).toEqual(['bad19', 'bad0'])
  })
})
