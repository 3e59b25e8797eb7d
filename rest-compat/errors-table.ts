import { ERRORS, isErrorCode, type ErrorCode } from '../kernel/errors.js'
import { errorsOf } from './route-errors.js'
import { COMMON_ERRORS, ROUTES } from './routes.js'

/** `docs/errors.md`: the table of errors for people, with the routes that may answer each. */
export function errorsTable(): string {
  const codes = Object.keys(ERRORS).filter(isErrorCode)
  return [
    '# Errors',
    '',
    'Written by `npm run schema` from `kernel/errors.ts` and `rest-compat/routes.ts`. REST answers the code as `status`;',
    'GraphQL answers it in capitals as `extensions.code`. `docs/adr/0003-errors-by-code.md` says why.',
    '',
    '| Code | HTTP | Message | Routes |',
    '| --- | --- | --- | --- |',
    ...codes.map((code) => `| \`${code}\` | ${ERRORS[code].http} | ${ERRORS[code].message} | ${routesWith(code)} |`),
    '',
  ].join('\n')
}

function routesWith(code: ErrorCode): string {
  if (COMMON_ERRORS.includes(code)) return 'all'
  const routes = ROUTES.filter((route) => errorsOf(route).includes(code))
  if (routes.length === ROUTES.length) return 'all'
  const writing = ROUTES.filter(({ method }) => method !== 'GET')
  if (routes.length === writing.length && writing.every((route) => routes.includes(route))) return 'all POST and PATCH'
  if (code === 'not_found') return 'any path that is not known'
  return routes.map(({ method, path }) => `\`${method} ${path}\``).join('<br>') || '–'
}
