import { expect, it } from 'vitest'
import type { OpenApiDocument } from '../rest-compat/openapi.js'
import { startHarness } from '../test/harness/harness.js'
import { toolsOf } from './tool.js'

const harness = await startHarness()
const document = (await harness.rest('GET', '/openapi.json')).body as unknown as OpenApiDocument

it('a tool of two forms says of each argument what it is in either, and where it is needed', () => {
  const { properties = {}, required } = toolsOf(document).get('registerPayment')?.shown.inputSchema ?? {}
  expect(properties['tenant_data']?.description).toBe(
    "The integration that it belongs to. Needed without `order_code`. With `order_code`: By default the order's, then the tenant's.",
  )
  expect(properties['amount_from']?.description).toBe(
    "The amount in the fiat currency. Above 0, with no more decimals than the currency has. Needed without `order_code`. With `order_code`: Checked, then ignored: the order's counts.",
  )
  expect(properties['order_code']?.description).toBe('The id of the order.')
  expect(properties['order_id']?.description).toBe('Another name of `order_code`.')
  expect(required).toEqual([])
})
