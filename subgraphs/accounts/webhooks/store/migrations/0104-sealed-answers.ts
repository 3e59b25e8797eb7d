/** The beginning of what a receiver answered, sealed; `response_body` stays for what earlier releases have stored. */
export const sealAnswers = ['alter table accounts.webhook_attempt add column sealed_response text']
