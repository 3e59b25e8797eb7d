/** The beginning of what a receiver answered; of attempts before this nothing is known. */
export const keepAnswers = ['alter table accounts.webhook_attempt add column response_body text']
