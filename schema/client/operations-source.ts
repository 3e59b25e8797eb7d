import { successSchemas, type OpenApiDocument } from '../../rest-compat/openapi.js'
import { operationsOf, type NamedOperation } from './named-operations.js'
import { typeText } from './type-text.js'

/** A method for each operation, with its docstring. */
export function operationsSource(document: OpenApiDocument): string {
  const operations = operationsOf(document)
  const methods = operations.flatMap(methodOf)
  const names = operations.flatMap(({ typeName, operation }) => [
    `${typeName}Params`,
    ...dataNames(operation.responses),
  ])
  return [
    "import type { Answer, CallOptions, Send } from '../call.js'",
    `import type { ${[...new Set(names)].toSorted().join(', ')} } from './types.js'`,
    '',
    '/** Every operation of the REST layer as a method. @param send sends a request and gives its answer */',
    'export function operations(send: Send) {',
    '  return {',
    ...methods,
    '  }',
    '}',
    '',
  ].join('\n')
}

function methodOf({ method, path, typeName, operation }: NamedOperation): string[] {
  const { operationId, summary, responses } = operation
  const needed = operation.parameters.some(({ required }) => required) || operation.requestBody !== undefined
  const codes = failureCodes(responses)
  return [
    '    /**',
    `     * ${summary}`,
    '     *',
    `     * \`${method} ${path}\``,
    `     * @throws ApiError with the code ${codes.map((code) => `\`${code}\``).join(', ')}`,
    '     */',
    `    ${operationId}: (params: ${typeName}Params${needed ? '' : ' = {}'}, options?: CallOptions): Promise<${answerOf(responses)}> =>`,
    `      send('${method}', '${path}', params, options),`,
  ]
}

type Responses = NamedOperation['operation']['responses']

function answerOf(responses: Responses): string {
  const words = successSchemas({ responses }).flatMap(({ properties }) => properties?.['status']?.enum ?? [])
  const status = words.map((word) => JSON.stringify(word)).join(' | ')
  return `Answer<${status}, ${[...new Set(dataNames(responses))].join(' | ')}>`
}

function dataNames(responses: Responses): string[] {
  return successSchemas({ responses }).map(({ properties }) => typeText(properties?.['data'] ?? {}))
}

/** The codes of an operation's own; those of every operation are said once, in the README. */
function failureCodes(responses: Responses): string[] {
  const shapes = Object.entries(responses)
    .filter(([http]) => !http.startsWith('2'))
    .flatMap(([, { content }]) => content['application/json'].schema.anyOf ?? [content['application/json'].schema])
  return shapes.flatMap(({ properties }) => (properties?.['status']?.enum ?? []).map(String))
}
