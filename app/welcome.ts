import type { Product } from './start-product.js'

/** The one screen that `npm start` prints: where things are, and in the sandbox how to try them. */
export function welcome({ url, sandbox }: Product): string {
  const key = sandbox?.demo?.load()?.apiKey
  const page = sandbox?.toyWallet && `${url.replace('127.0.0.1', 'localhost')}/sandbox/pay`
  if (key === undefined) return `\n  Payments API is ready at ${url}\n`
  return [
    '',
    `  Payments API is ready at ${url}`,
    '',
    `  Start     ${url}/   (guides, reference, sandbox)`,
    `  GraphQL   ${url}/graphql`,
    `  REST      ${url}/docs`,
    `  API key   ${key}   (demo tenant; more in sandbox.json)`,
    '',
    '  Try next:',
    ...(page === undefined ? [] : [`    ${page}   (a payment page, to pay in your browser)`]),
    '    npm run demo',
    `    curl -H 'x-api-key: ${key}' ${url}/config/products`,
    '',
  ].join('\n')
}
