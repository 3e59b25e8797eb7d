import type { Product } from './start-product.js'

/** The one screen that `npm start` prints. */
export function welcome({ url, sandbox }: Product): string {
  const key = sandbox?.demo.load()?.apiKey
  return [
    '',
    `  Payments API is ready at ${url}`,
    '',
    `  GraphQL   ${url}/graphql`,
    `  REST      ${url}/docs`,
    ...(key === undefined ? [] : [`  API key   ${key}   (demo tenant; more in sandbox.json)`]),
    '',
    '  Try next:',
    '    npm run demo',
    ...(key === undefined ? [] : [`    curl -H 'x-api-key: ${key}' ${url}/config/products`]),
    '',
  ].join('\n')
}
