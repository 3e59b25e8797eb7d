import { SANDBOX_OPERATOR } from './deployment.js'
import type { Role } from './env.js'
import { DEMO_OWNER } from './seed-demo.js'
import type { Product } from './start-product.js'

/** The one screen that `npm start` prints: where things are, and in the sandbox how to try them. A part of the product has no more than an address. */
export function welcome({ url, sandbox }: Product, roles: readonly Role[]): string {
  const isWhole = roles.includes('all') || roles.includes('gateway')
  if (!isWhole) return `\n  ${roles.join(', ')} of the payments API: ready at ${url}\n`
  const key = sandbox?.demo?.load()?.apiKey
  // Wallets and passkeys work on localhost only, where there is no https.
  const local = url.replace('127.0.0.1', 'localhost')
  const page = sandbox?.toyWallet && `${local}/sandbox/pay`
  const codes = sandbox?.mailboxUrl === undefined ? '' : `; codes: ${sandbox.mailboxUrl}`
  if (key === undefined) return `\n  Payments API is ready at ${url}\n`
  return [
    '',
    `  Payments API is ready at ${url}`,
    '',
    `  Start     ${url}/   (guides, reference, sandbox)`,
    `  GraphQL   ${url}/graphql`,
    `  REST      ${url}/docs`,
    ...(sandbox === undefined
      ? []
      : [`  Sandbox   ${local}/sandbox   (pay a Pix, verify a person, charge back, move the clock: a button each)`]),
    `  Console   ${local}/console   (sign in as ${DEMO_OWNER} or ${SANDBOX_OPERATOR}${codes})`,
    `  API key   ${key}   (demo tenant; more in sandbox.json)`,
    '',
    '  Try next:',
    ...(page === undefined ? [] : [`    ${page}   (a payment page, to pay in your browser)`]),
    '    npm run demo',
    `    curl -H 'x-api-key: ${key}' ${url}/config/products`,
    '',
  ].join('\n')
}
