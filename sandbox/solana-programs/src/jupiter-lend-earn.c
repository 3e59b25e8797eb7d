// The sandbox's Jupiter Lend Earn: deposit, withdraw, redeem, mint and updateRate with the instruction interface, account
// layouts and arithmetic of the real program. One program that is loaded twice, at the ids of Earn and of the liquidity
// layer below it, because the vaults belong to an address that only the latter can sign for.
#include "jupiter-liquidity.h"

enum { AMOUNT_INSIGNIFICANT = 6000, WRONG_POSITION = 6011, WRONG_LIQUIDITY_PROGRAM = 6012 };

typedef struct {
  Account *signer, *user_tokens, *user_shares, *mint, *admin, *lending, *share_mint, *reserve, *position, *model, *vault, *liquidity;
  Account *liquidity_program, *rewards, *token_program, *ata_program, *system_program;
  u64 admin_bump;
} Earn;
#define EARN ((Earn *)PROGRAM_MEMORY)
enum { DEPOSIT_ACCOUNTS = 17, WITHDRAW_ACCOUNTS = 18, MOVE_DATA_LENGTH = 16 };

// Deposit and withdrawal name the same accounts in another order; a withdrawal has a claim account too, which nobody reads.
INLINE void read_accounts(u64 is_withdrawal) {
  Earn *earn = EARN;
  u64 shift = is_withdrawal ? 1 : 0;
  earn->signer = ACCOUNT(0);
  earn->user_tokens = ACCOUNT(is_withdrawal ? 2 : 1);
  earn->user_shares = ACCOUNT(is_withdrawal ? 1 : 2);
  earn->mint = ACCOUNT(is_withdrawal ? 5 : 3);
  earn->admin = ACCOUNT(is_withdrawal ? 3 : 4);
  earn->lending = ACCOUNT(is_withdrawal ? 4 : 5);
  earn->share_mint = ACCOUNT(6);
  earn->reserve = ACCOUNT(7);
  earn->position = ACCOUNT(8);
  earn->model = ACCOUNT(9);
  earn->vault = ACCOUNT(10);
  earn->liquidity = ACCOUNT(11 + shift);
  earn->liquidity_program = ACCOUNT(12 + shift);
  earn->rewards = ACCOUNT(13 + shift);
  earn->token_program = ACCOUNT(14 + shift);
  earn->ata_program = ACCOUNT(15 + shift);
  earn->system_program = ACCOUNT(16 + shift);
}

INLINE void seed_lending(u8 *lending) {
  SEED_TEXT(0, LENDING);
  seed_key(1, lending + LENDING_MINT);
  seed_key(2, lending + LENDING_SHARE_MINT);
  seed_bump(3, lending[LENDING_BUMP]);
}

INLINE void seed_admin(void) {
  SEED_TEXT(0, LENDING_ADMIN);
  seed_bump(1, (u8)EARN->admin_bump);
}

FUNCTION u64 check_lending(void) {
  Earn *earn = EARN;
  TRY(check_account(earn->lending, MEMORY->program_id, DISC_LENDING, LENDING_LENGTH));
  u8 *lending = earn->lending->data;
  REQUIRE(earn->lending->is_writable, CONSTRAINT_MUT);
  REQUIRE(same_key(lending + LENDING_MINT, earn->mint->key) && same_key(lending + LENDING_SHARE_MINT, earn->share_mint->key),
          CONSTRAINT_HAS_ONE);
  REQUIRE(same_key(lending + LENDING_RESERVE, earn->reserve->key) && same_key(lending + LENDING_REWARDS, earn->rewards->key),
          CONSTRAINT_ADDRESS);
  seed_lending(lending);
  REQUIRE(derives(4, MEMORY->program_id, earn->lending->key), CONSTRAINT_SEEDS);
  REQUIRE(IS_KEY(earn->reserve->owner, LIQUIDITY_PROGRAM) && read64(earn->reserve->data) == DISC_TOKEN_RESERVE, WRONG_ACCOUNT_OWNER);
  REQUIRE(IS_KEY(earn->rewards->owner, REWARDS_PROGRAM) && read64(earn->rewards->data) == DISC_LENDING_REWARDS_RATE_MODEL,
          WRONG_ACCOUNT_OWNER);
  REQUIRE(same_key(earn->rewards->data + REWARDS_MINT, earn->mint->key), CONSTRAINT_HAS_ONE);
  return 0;
}

// The admin account's bump stands behind a list of authorities of any length.
FUNCTION u64 check_admin(void) {
  Earn *earn = EARN;
  TRY(check_account(earn->admin, MEMORY->program_id, DISC_LENDING_ADMIN, ADMIN_LENGTH));
  u8 *admin = earn->admin->data;
  u64 bump_at = ADMIN_AUTHORITIES + 4 + KEY_BYTES * read32(admin + ADMIN_AUTHORITIES);
  REQUIRE(bump_at < earn->admin->data_length, WRONG_DISCRIMINATOR);
  earn->admin_bump = admin[bump_at];
  REQUIRE(same_key(admin + ADMIN_LIQUIDITY_PROGRAM, earn->liquidity_program->key) && IS_KEY(earn->liquidity_program->key, LIQUIDITY_PROGRAM),
          WRONG_LIQUIDITY_PROGRAM);
  seed_admin();
  REQUIRE(derives(2, MEMORY->program_id, earn->admin->key), CONSTRAINT_SEEDS);
  return 0;
}

FUNCTION u64 check_move(void) {
  Earn *earn = EARN;
  REQUIRE(earn->signer->is_signer, NOT_A_SIGNER);
  REQUIRE(IS_KEY(earn->token_program->key, TOKEN) && IS_KEY(earn->ata_program->key, ASSOCIATED_TOKEN) &&
              IS_KEY(earn->system_program->key, SYSTEM) && same_key(earn->mint->owner, earn->token_program->key),
          WRONG_PROGRAM_ID);
  TRY(check_lending());
  REQUIRE(same_key(earn->lending->data + LENDING_POSITION, earn->position->key), WRONG_POSITION);
  TRY(check_admin());
  TRY(check_token_account(earn->user_tokens, earn->token_program->key, earn->mint->key, earn->signer->key));
  return check_token_account(earn->user_shares, earn->token_program->key, earn->share_mint->key, earn->signer->key);
}

// Lets the liquidity layer move the money, signed by the lending account.
FUNCTION u64 call_operate(u64 amount, u64 is_withdrawal) {
  Earn *earn = EARN;
  write64(MEMORY->instruction_data, IX_OPERATE);
  write64(MEMORY->instruction_data + 8, amount);
  MEMORY->instruction_data[16] = (u8)is_withdrawal;
  add_meta(OPERATE_PROTOCOL, earn->lending, 0, 1);
  add_meta(OPERATE_USER, earn->signer, 0, 1);
  add_meta(OPERATE_USER_TOKENS, earn->user_tokens, 1, 0);
  add_meta(OPERATE_MINT, earn->mint, 0, 0);
  add_meta(OPERATE_RESERVE, earn->reserve, 1, 0);
  add_meta(OPERATE_POSITION, earn->position, 1, 0);
  add_meta(OPERATE_MODEL, earn->model, 0, 0);
  add_meta(OPERATE_VAULT, earn->vault, 1, 0);
  add_meta(OPERATE_LIQUIDITY, earn->liquidity, 0, 0);
  add_meta(OPERATE_TOKEN_PROGRAM, earn->token_program, 0, 0);
  seed_lending(earn->lending->data);
  return call_program(earn->liquidity_program->key, OPERATE_ACCOUNTS, OPERATE_DATA_LENGTH, 4);
}

// Shares are rounded against the user: down where they are given, up where they are taken.
FUNCTION u64 move_money(u64 is_withdrawal, u64 counts_shares) {
  REQUIRE(MEMORY->data_length == MOVE_DATA_LENGTH, INSTRUCTION_NOT_READABLE);
  REQUIRE(MEMORY->account_count >= (is_withdrawal ? WITHDRAW_ACCOUNTS : DEPOSIT_ACCOUNTS), TOO_FEW_ACCOUNTS);
  read_accounts(is_withdrawal);
  TRY(check_move());
  Earn *earn = EARN;
  find_share_price(earn->lending->data, earn->reserve->data, earn->rewards->data, mint_supply(earn->share_mint));
  u64 given = read64(MEMORY->data + 8), amount, shares;
  if (given == DOES_NOT_FIT) { // u64::MAX: the whole balance
    if (is_withdrawal) counts_shares = 1;
    given = token_amount(is_withdrawal ? earn->user_shares : earn->user_tokens);
  }
  if (counts_shares) {
    shares = given;
    amount = multiply_divide(shares, PRICES->share, PRICE_ONE, !is_withdrawal);
  } else {
    amount = given;
    shares = multiply_divide(amount, PRICE_ONE, PRICES->share, is_withdrawal);
  }
  REQUIRE(shares && amount && shares != DOES_NOT_FIT && amount != DOES_NOT_FIT, AMOUNT_INSIGNIFICANT);
  store_share_price(earn->lending->data);
  u8 *token_program = earn->token_program->key;
  if (is_withdrawal) {
    TRY(burn_tokens(token_program, shares, earn->user_shares, earn->share_mint, earn->signer));
    return call_operate(amount, 1);
  }
  TRY(call_operate(amount, 0));
  seed_admin();
  return mint_tokens(token_program, shares, earn->share_mint, earn->user_shares, earn->admin, 2);
}

enum { UPDATE_RATE_ACCOUNTS = 5 };

INLINE u64 update_rate(void) {
  REQUIRE(MEMORY->account_count >= UPDATE_RATE_ACCOUNTS, TOO_FEW_ACCOUNTS);
  Earn *earn = EARN;
  earn->lending = ACCOUNT(0);
  earn->mint = ACCOUNT(1);
  earn->share_mint = ACCOUNT(2);
  earn->reserve = ACCOUNT(3);
  earn->rewards = ACCOUNT(4);
  TRY(check_lending());
  find_share_price(earn->lending->data, earn->reserve->data, earn->rewards->data, mint_supply(earn->share_mint));
  store_share_price(earn->lending->data);
  return 0;
}

u64 entrypoint(u8 *input) {
  TRY(read_input(input));
  if (IS_KEY(MEMORY->program_id, LIQUIDITY_PROGRAM)) return operate();
  u64 discriminator = read64(MEMORY->data);
  if (discriminator == IX_DEPOSIT) return move_money(0, 0);
  if (discriminator == IX_MINT) return move_money(0, 1);
  if (discriminator == IX_WITHDRAW) return move_money(1, 0);
  if (discriminator == IX_REDEEM) return move_money(1, 1);
  if (discriminator == IX_UPDATE_RATE) return update_rate();
  return UNKNOWN_INSTRUCTION;
}
