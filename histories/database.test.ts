import { expect, it } from 'vitest'
import { ending } from '../test/harness/at-end.js'
import { migratedDatabase } from '../test/harness/migrated-database.js'
import { createLog } from '../kernel/log.js'
import { openPaymentsDatabase } from '../subgraphs/payments/context.js'
import { historyOf, play } from './history.js'

const COUNT = 25

it(`histories on PostgreSQL end like those in memory, and the ledger's own check finds nothing, ${COUNT} of them`, async () => {
  const { url } = await migratedDatabase()
  const database = ending(await openPaymentsDatabase({ url, poolSize: 4, log: createLog('silent') }))
  const wrong: string[] = []
  for (let seed = 1; seed <= COUNT; seed += 1) {
    const faults = await play(historyOf(seed), { database })
    if (faults.length > 0) wrong.push(`seed ${seed}: ${faults.join('; ')}`)
  }
  expect(wrong).toEqual([])
})
