/** The headers of a page, but that its own forms may be sent. */
export function withOwnForms(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const policy = headers['content-security-policy'] ?? ''
  return { ...headers, 'content-security-policy': policy.replace("form-action 'none'", "form-action 'self'") }
}
