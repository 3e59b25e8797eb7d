import { expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { startProcessHarness } from '../harness/process-harness.js'
import { until } from '../harness/until.js'

const harness = await startProcessHarness()

it('a process whose log is on a full disk serves, tells how much of it is lost, and ends when it is told to', async () => {
  const metricsPort = await findLastingPort()
  const environment = { LOG_LEVEL: 'info', METRICS_PORT: String(metricsPort) }
  const product = await harness.start('data', environment, { standardError: '/dev/full' })
  const metrics = () => fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((answer) => answer.text())
  const lost = async () => Number(/^log_lines_lost_total (\d+)$/m.exec(await metrics())?.[1])
  const before = await lost()
  expect(before).toBeGreaterThan(0)
  for (let asked = 0; asked < 3; asked += 1) expect((await fetch(`${product.url}/nowhere`)).status).toBe(404)
  await until('the lines of the three requests are counted', async () => (await lost()) >= before + 3)
  expect(await product.stop()).toMatchObject({ code: 0, signal: null })
})
