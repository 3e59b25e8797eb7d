import { ERRORS } from '../../kernel/errors.js'

/** The classes of errors, one for each code of the table of errors. */
export function errorsSource(): string {
  const rows = Object.entries(ERRORS).map(([code, { http, message }]) => ({
    code,
    http,
    message,
    name: className(code),
  }))
  return [
    "import { ApiError } from '../api-error.js'",
    '',
    ...rows.map(({ name, http, message }) => `/** ${http}: ${message} */\nexport class ${name} extends ApiError {}\n`),
    '/** The class of each code. */',
    'export const ERROR_CLASSES = {',
    ...rows.map(({ code, name }) => `  ${code}: ${name},`),
    '} as const satisfies Readonly<Record<string, typeof ApiError>>',
    '',
    '/** A code that an answer may carry as its `status`. */',
    'export type ErrorCode = keyof typeof ERROR_CLASSES',
    '',
  ].join('\n')
}

/** `order_not_found` → `OrderNotFoundError`. */
function className(code: string): string {
  const name = code.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())
  return name.endsWith('Error') ? name : `${name}Error`
}
