import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../kernel/root.js'

const RULES = join(projectRoot, 'deploy', 'prometheus-rules.yml')
/** Comes with Prometheus, and need not be there: these tests are then skipped. */
const isThere = spawnSync('promtool', ['--version']).error === undefined

const folder = mkdtempSync(join(tmpdir(), 'alert-rules-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Figures by their series: one value a minute, in promtool's notation; `_` is none. */
type Figures = Record<string, string>

/** Of each minute that is asked about, whether the alert rings then. @throws what promtool says where one differs */
function expectRings(alertname: string, figures: Figures, rings: Record<string, readonly Record<string, string>[]>) {
  const test = {
    interval: '1m',
    input_series: Object.entries(figures).map(([series, values]) => ({ series, values })),
    promql_expr_test: Object.entries(rings).map(([eval_time, labels]) => ({
      eval_time,
      expr: `max by (kind, chain) (ALERTS{alertname="${alertname}", alertstate="firing"})`,
      exp_samples: labels.map((of) => ({ labels: labelsOf(of), value: 1 })),
    })),
  }
  const file = join(folder, 'test.yml')
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: [test] }))
  expect(execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })).toContain('SUCCESS')
}

const labelsOf = (labels: Record<string, string>): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}}`

/** The same figure of both processes that tell it. */
const ofBoth = (name: string, labels: Record<string, string>, values: string): Figures => {
  const series = (instance: string) => `${name}${labelsOf({ ...labels, instance, job: 'payments' })}`
  return { [series('a')]: values, [series('b')]: values }
}

describe.skipIf(!isThere)('an alert rule (promtool)', () => {
  it('rings for what an operator was told once, for as long as it is open, and not when it is closed', () => {
    const told = ofBoth('operator_alerts', { kind: 'payout_held' }, '_x5 1x10 _x20')
    const again = ofBoth('operator_alerts', { kind: 'payout_stuck' }, '5x8 2x20')
    const both = [{ kind: 'payout_held' }, { kind: 'payout_stuck' }]
    expectRings('OperatorNeeded', { ...told, ...again }, { '4m': both.slice(1), '8m': both, '25m': both.slice(1) })
  })

  it('rings where a payout waits for a quarter of an hour, and not for payouts that come and go', () => {
    const stands = ofBoth('payouts_oldest_waiting_seconds', { chain: 'polygon' }, '0+60x40')
    const busy = ofBoth(
      'payouts_oldest_waiting_seconds',
      { chain: 'solana' },
      '5 9 3 7 12 8 4 6 9 2 5 9 3 7 12 8 4 6 9 2 5',
    )
    expectRings('PayoutsWait', { ...stands, ...busy }, { '15m': [], '20m': [{ chain: 'polygon' }] })
  })

  it('rings where no worker is left that could tell that jobs wait', () => {
    expectRings('NoWorkers', ofBoth('jobs_oldest_due_seconds', {}, '0x10'), { '9m': [], '22m': [{}] })
  })
})
