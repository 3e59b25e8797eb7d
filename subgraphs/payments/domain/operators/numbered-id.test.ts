import { describe, expect, it } from 'vitest'
import { operatorContext } from '../../../../test/harness/operator.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'

const harness = await startPaymentsHarness()

const ask = (source: string) => harness.graphql(source, {}, operatorContext('ana'))

/** Closes a difference by what may be its id. */
async function resolve(id: string): Promise<unknown> {
  const { data } = await ask(
    `mutation { resolveDifference(id: "${id}", reason: "known") { differenceResolution { differenceId } errors { code } } }`,
  )
  return data?.['resolveDifference']
}

describe('what the database counts', () => {
  it('has an id of its own kind: the first alert and the first difference are two things to a cache', async () => {
    await harness.deps.alerts.raise({ kind: 'forced_return', subject: 'cpayment' })
    await harness.query(
      `insert into payments.difference (kind, subject, scope, found_at, seen_at) values
        ('wrong_fee', 'pix:E2E-1', 'provider:pix', now(), now()), ('wrong_fee', 'pix:E2E-2', 'provider:pix', now(), now())`,
    )
    const { data } = await ask(
      '{ alerts { edges { node { id } } } reconciliationDifferences(first: 1) { edges { cursor node { id } } } }',
    )
    expect(data).toMatchObject({
      alerts: { edges: [{ node: { id: 'alert-1' } }] },
      reconciliationDifferences: { edges: [{ node: { id: 'difference-2' } }] },
    })
    const { edges } = data?.['reconciliationDifferences'] as { edges: { cursor: string }[] }
    const next = await ask(
      `{ reconciliationDifferences(after: "${edges[0]?.cursor}") { edges { node { id subject } } pageInfo { hasNextPage } } }`,
    )
    expect(next.data).toEqual({
      reconciliationDifferences: {
        edges: [{ node: { id: 'difference-1', subject: 'pix:E2E-1' } }],
        pageInfo: { hasNextPage: false },
      },
    })
  })

  it('is named by that id, or by the number that the command line shows, and by no id of another kind', async () => {
    expect(await resolve('alert-1')).toMatchObject({ differenceResolution: null, errors: [{ code: 'NOT_FOUND' }] })
    expect(await resolve('difference-1')).toEqual({
      differenceResolution: { differenceId: 'difference-1' },
      errors: [],
    })
    expect(await resolve('2')).toMatchObject({ differenceResolution: { differenceId: 'difference-2' } })
  })
})
