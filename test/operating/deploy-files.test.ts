import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMetrics } from '../../app/metrics.js'
import { jobGauges, migrateJobs } from '../../kernel/jobs.js'
import { createLog } from '../../kernel/log.js'
import { projectRoot } from '../../kernel/root.js'
import { paymentGauges } from '../../subgraphs/payments/store/gauges.js'
import { ownDatabase } from '../harness/database.js'
import { openPaymentsDatabase } from '../../subgraphs/payments/context.js'

const FUNCTIONS = /\b(sum|by|increase|rate|max|min_over_time|histogram_quantile|absent|and|le|on)\b/

describe('the dashboard and the alert rules', () => {
  it('ask for figures that a process tells', async () => {
    const unread: string[] = []
    const log = createLog('warn', { write: (line) => void unread.push(line) })
    const { url } = await ownDatabase()
    const db = await openPaymentsDatabase({ url, poolSize: 2, log })
    await migrateJobs(db.pool, log)
    const metrics = createMetrics(log)
    metrics.add([...paymentGauges(db), ...jobGauges(db.pool)])
    const told = await metrics.text()
    await db.close()
    expect(unread).toEqual([])
    const files = ['grafana-dashboard.json', 'prometheus-rules.yml'].map((name) =>
      readFileSync(join(projectRoot, 'deploy', name), 'utf8'),
    )
    const asked = files
      .join('\n')
      .matchAll(/\b((?:http|jobs|log|payouts|operator|process|nodejs)_?[a-z_0-9]*)(?=\[|\{|\)| \*|")/g)
    const names = [...new Set([...asked].map(([, name = '']) => name))].filter((name) => !FUNCTIONS.test(name))
    expect(names.length).toBeGreaterThan(6)
    for (const name of names) {
      expect(told, name).toContain(`# TYPE ${name.replace(/_(count|bucket)$/, '')} `)
    }
  })
})
