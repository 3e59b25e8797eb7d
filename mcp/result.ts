import type { Envelope } from '../rest-compat/envelope.js'
import { nextStep } from './next-step.js'
import { IDEMPOTENCY_KEY } from './tool.js'

/** What a tool answers. */
export interface ToolResult {
  content: readonly { type: 'text'; text: string }[]
  structuredContent?: object
  isError?: true
}

/** A failure in words: what was wrong, in which fields, and what to do next. */
export function failureResult({ status, message, statusCode, errors = [], details }: Envelope): ToolResult {
  const lines = [
    `${status}: ${inToolWords(message)}`,
    ...errors.map((failure) => `- ${inToolWords(failure.field)}: ${failure.message}`),
    ...(details === undefined ? [] : [details]),
    nextStep(status, statusCode),
  ]
  return { content: [{ type: 'text', text: lines.join('\n') }], isError: true }
}

/** A tool has an argument where REST has a header. */
function inToolWords(text: string): string {
  return text.replaceAll(/idempotency-key/gi, IDEMPOTENCY_KEY)
}
