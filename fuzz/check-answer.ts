import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from '../rest-compat/openapi.js'
import type { FuzzRequest } from './generate.js'

/** An answer as it came. */
export interface FuzzAnswer {
  status: number
  text: string
}

/** What the chain said of what was signed, which is the caller's to know. */
const OF_THE_CHAIN = /^(broadcast|confirm)_/

/**
 * Says what is wrong with an answer: a failure of ours, or anything that the document does not say.
 * @returns undefined where nothing is
 */
export function answerChecker(
  document: OpenApiDocument,
): (request: FuzzRequest, answer: FuzzAnswer) => string | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  const validators = new Map<string, ValidateFunction>()
  return ({ method, pattern }, { status, text }) => {
    const body = parse(text)
    if (body === undefined) return 'the answer is no JSON'
    const { status: code } = body
    if (status >= 500 && !OF_THE_CHAIN.test(String(code))) return `the answer is a ${status}`
    const documented = document.paths[pattern]?.[method.toLowerCase()]?.responses[String(status)]
    if (!documented) return `${status} is not documented`
    const name = `${method} ${pattern} ${status}`
    let validate = validators.get(name)
    if (!validate) {
      validate = ajv.compile(closed(documented.content['application/json'].schema))
      validators.set(name, validate)
    }
    return validate(body) ? undefined : `the answer is not as documented: ${ajv.errorsText(validate.errors)}`
  }
}

/** The schema with references into the document that was added. */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')) as object
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
