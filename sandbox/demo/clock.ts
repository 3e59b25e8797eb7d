import { expect, type DemoContext } from './demo.js'

const WEEK_SECONDS = 7 * 86_400

/** A week passes for the product and for everything around it. */
export async function passWeek({ sandbox }: Pick<DemoContext, 'sandbox'>): Promise<void> {
  const response = await fetch(`${sandbox.rest_url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': sandbox.platform_key },
    body: JSON.stringify({ advance_seconds: WEEK_SECONDS }),
  })
  expect(response.ok, 'the clock cannot be moved')
}
