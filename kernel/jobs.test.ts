import { describe, expect, it } from 'vitest'
import { kernelDatabase } from '../test/harness/migrated-database.js'
import { adjustableClock } from './clock.js'
import { addJob } from './jobs.js'

const { kernel } = await kernelDatabase()

describe('a job that is to come at a time', () => {
  it.each([0, -3_600_000, 3_600_000])(
    'comes when the process that added it shows that time, whose clock is off by %d ms',
    async (skewMs) => {
      const clock = adjustableClock(86_400_000, skewMs)
      const key = `skew ${skewMs}`
      const runAt = new Date(clock.now().getTime() + 60_000)
      await addJob(kernel.orm.em.fork(), clock, { name: 'late', payload: {}, key, runAt })
      const { rows } = await kernel.pool.query<{ seconds: number }>(
        `select extract(epoch from run_at - now())::float as seconds from graphile_worker._private_jobs where key = $1`,
        [key],
      )
      expect(rows[0]?.seconds).toBeLessThanOrEqual(60.1)
      expect(rows[0]?.seconds).toBeGreaterThan(30)
    },
  )
})
