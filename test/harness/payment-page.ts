import type { PageView } from '../../checkout/page/view.js'
import { openPage, type OpenedPage } from './browser.js'
import { postJson } from './control.js'
import type { Harness } from './harness.js'

/** Nobody's, with the right check digits. */
export const PIX_PAYER = { cpf: '529.982.247-25', email: 'ana@example.com' } as const

/** What a payer types into the card's form, but for the number. */
export const CARD_PAYER = {
  holder: 'ANA SOUZA',
  expiry: '1230',
  cvv: '123',
  email: 'ana@example.com',
  document: '529.982.247-25',
  phone: '11 98765-4321',
  zipcode: '01310-100',
  street: 'Avenida Paulista',
  'street-number': '1000',
  neighborhood: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
} as const

/** A payment of an order that can be paid in every way, and the address of its page. */
export async function pageOfOrder(
  harness: Harness,
  terms: Record<string, unknown> = {},
): Promise<{ id: string; address: string }> {
  const { tenant } = harness
  const order = await tenant.createOrder({
    amount_from: '149.90',
    payment_method_allowed: { crypto: true, pixcrypto: true, cardcrypto: true },
    split_payment_config: [{ receiver_wallet: harness.chain.newReceiver(), receiver_percent: 100 }],
    order_items: [{ name: 'Coffee', quantity: 2, description: 'Medium roast' }],
    ...terms,
  })
  const id = await tenant.register({ order_code: order })
  return { id, address: harness.url + (await tenant.pagePath(id)) }
}

/** What a page shows now. @param path the page's own */
export async function viewOfPage(harness: Harness, path: string): Promise<PageView> {
  return ((await harness.rest('GET', `${path}/state`)).body as unknown as { view: PageView }).view
}

/** Opens the page of such a payment. */
export async function openOrder(
  harness: Harness,
  options: Parameters<typeof openPage>[1] = {},
  terms: Record<string, unknown> = {},
): Promise<OpenedPage & { id: string; address: string }> {
  const made = await pageOfOrder(harness, terms)
  return { ...made, ...(await openPage(made.address, options)) }
}

/** Asks a payment page for a Pix, as its payer does. @returns the code that it shows */
export async function askForPix({ part, untilStatus }: Pick<OpenedPage, 'part' | 'untilStatus'>): Promise<string> {
  await part('pix-cpf').fill(PIX_PAYER.cpf)
  await part('pix-email').fill(PIX_PAYER.email)
  await part('pay').click()
  await part('pix-code').waitFor()
  await untilStatus('waiting')
  return part('pix-code').inputValue()
}

/** Pays a Pix at the simulated bank. */
export async function payPix({ pixUrl }: Harness, code: string): Promise<void> {
  await postJson(`${pixUrl}/sandbox/pay`, { code })
}
