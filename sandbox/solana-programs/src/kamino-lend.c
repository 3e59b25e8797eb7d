// The sandbox's Kamino Lend: refreshReserve, depositReserveLiquidity and redeemReserveCollateral with the instruction
// interface, the Reserve layout and the arithmetic of the real program. Interest grows with the clock's slots,
// or with its seconds. There are no obligations, loans or farms: a reserve's debt is seeded and only earns.
#include "kamino-reserve.h"
#include "tokens.h"

enum {
  INVALID_AMOUNT = 6003,
  INSUFFICIENT_LIQUIDITY = 6008,
  WITHDRAW_TOO_SMALL = 6010,
  INVALID_ORACLE = 6029,
  RESERVE_DEPRECATED = 6073,
  RESERVE_OBSOLETE = 6082,
  DEPOSIT_LIMIT_EXCEEDED = 6090,
  BALANCE_MISMATCH = 6095,
};

enum { MARKET_BUMP = 16, MARKET_LENGTH = 4664, RESERVE_VERSION_1 = 1, STATUS_OBSOLETE = 1 };

FUNCTION u64 check_reserve(Account *reserve, Account *market) {
  TRY(check_account(market, MEMORY->program_id, DISC_LENDING_MARKET, MARKET_LENGTH));
  TRY(check_account(reserve, MEMORY->program_id, DISC_RESERVE, RESERVE_LENGTH));
  REQUIRE(reserve->is_writable, CONSTRAINT_MUT);
  REQUIRE(same_key(reserve->data + RESERVE_MARKET, market->key), CONSTRAINT_HAS_ONE);
  REQUIRE(read64(reserve->data + RESERVE_VERSION) == RESERVE_VERSION_1, RESERVE_DEPRECATED);
  return 0;
}

// The accounts of refreshReserve; an oracle that a reserve does not use is the program's own id.
enum { REFRESH_RESERVE, REFRESH_MARKET, REFRESH_PYTH, REFRESH_SWITCHBOARD, REFRESH_SWITCHBOARD_TWAP, REFRESH_SCOPE, REFRESH_ACCOUNTS };

INLINE u64 refresh_reserve(void) {
  REQUIRE(MEMORY->account_count >= REFRESH_ACCOUNTS, TOO_FEW_ACCOUNTS);
  TRY(check_reserve(ACCOUNT(REFRESH_RESERVE), ACCOUNT(REFRESH_MARKET)));
  u8 *reserve = ACCOUNT(REFRESH_RESERVE)->data;
  Account *oracle = ACCOUNT(REFRESH_SCOPE);
  if (read64(reserve + RESERVE_SCOPE_FEED)) {
    REQUIRE(same_key(oracle->key, reserve + RESERVE_SCOPE_FEED), INVALID_ORACLE);
    take_scope_price(reserve, oracle);
  }
  return accrue_interest(reserve);
}

// Deposit and redeem name the same accounts in another order; both work on these.
typedef struct {
  Account *owner, *reserve, *market, *authority, *mint, *vault, *share_mint, *user_tokens, *user_shares;
  u8 *share_program, *token_program;
} Move;
#define MOVE ((Move *)PROGRAM_MEMORY)
enum { MOVE_SHARE_PROGRAM = 9, MOVE_TOKEN_PROGRAM = 10, MOVE_INSTRUCTIONS_SYSVAR = 11, MOVE_ACCOUNTS = 12, MOVE_DATA_LENGTH = 16 };

INLINE void read_move(u64 is_deposit) {
  Move *move = MOVE;
  move->owner = ACCOUNT(0);
  move->reserve = ACCOUNT(is_deposit ? 1 : 2);
  move->market = ACCOUNT(is_deposit ? 2 : 1);
  move->authority = ACCOUNT(3);
  move->mint = ACCOUNT(4);
  move->vault = ACCOUNT(is_deposit ? 5 : 6);
  move->share_mint = ACCOUNT(is_deposit ? 6 : 5);
  move->user_tokens = ACCOUNT(is_deposit ? 7 : 8);
  move->user_shares = ACCOUNT(is_deposit ? 8 : 7);
  move->share_program = ACCOUNT(MOVE_SHARE_PROGRAM)->key;
  move->token_program = ACCOUNT(MOVE_TOKEN_PROGRAM)->key;
}

FUNCTION u64 check_move(void) {
  Move *move = MOVE;
  REQUIRE(move->owner->is_signer, NOT_A_SIGNER);
  TRY(check_reserve(move->reserve, move->market));
  u8 *reserve = move->reserve->data;
  SEED_TEXT(0, LMA);
  seed_key(1, move->market->key);
  seed_bump(2, move->market->data[MARKET_BUMP]);
  REQUIRE(derives(3, MEMORY->program_id, move->authority->key), CONSTRAINT_SEEDS);
  REQUIRE(same_key(move->mint->key, reserve + RESERVE_MINT) && same_key(move->vault->key, reserve + RESERVE_SUPPLY_VAULT) &&
              same_key(move->share_mint->key, reserve + RESERVE_SHARE_MINT) &&
              IS_KEY(ACCOUNT(MOVE_INSTRUCTIONS_SYSVAR)->key, INSTRUCTIONS_SYSVAR),
          CONSTRAINT_ADDRESS);
  REQUIRE(IS_KEY(move->share_program, TOKEN) && same_key(move->token_program, reserve + RESERVE_TOKEN_PROGRAM) &&
              same_key(move->mint->owner, move->token_program),
          WRONG_PROGRAM_ID);
  // As in the real program the owner of these two is not looked at: money can be sent to another owner's account, and it
  // is for the builder of a transaction to check where it goes.
  TRY(check_token_account(move->user_tokens, move->token_program, move->mint->key, 0));
  return check_token_account(move->user_shares, move->share_program, move->share_mint->key, 0);
}

INLINE u64 deposit(u64 amount) {
  Move *move = MOVE;
  u8 *reserve = move->reserve->data;
  u64 shares_before = read64(reserve + RESERVE_SHARE_SUPPLY), vault_before = token_amount(move->vault);
  u64 total = total_supply(reserve, 1);
  u64 shares = shares_before && total ? multiply_divide(amount, shares_before, total, 0) : amount;
  REQUIRE(reserve[RESERVE_STATUS] != STATUS_OBSOLETE, RESERVE_OBSOLETE);
  REQUIRE(shares && shares != DOES_NOT_FIT, INVALID_AMOUNT);
  REQUIRE(total + amount <= read64(reserve + RESERVE_DEPOSIT_LIMIT), DEPOSIT_LIMIT_EXCEEDED);
  TRY(TRANSFER_TOKENS(move->token_program, amount, move->user_tokens, move->mint, move->vault, move->owner, 0));
  TRY(mint_tokens(move->share_program, shares, move->share_mint, move->user_shares, move->authority, 3));
  REQUIRE(token_amount(move->vault) - vault_before == amount, BALANCE_MISMATCH);
  write64(reserve + RESERVE_AVAILABLE, read64(reserve + RESERVE_AVAILABLE) + amount);
  write64(reserve + RESERVE_SHARE_SUPPLY, shares_before + shares);
  return 0;
}

INLINE u64 redeem(u64 shares) {
  Move *move = MOVE;
  u8 *reserve = move->reserve->data;
  u64 shares_before = read64(reserve + RESERVE_SHARE_SUPPLY), vault_before = token_amount(move->vault);
  u64 available = read64(reserve + RESERVE_AVAILABLE);
  u64 payout = shares_before ? multiply_divide(shares, total_supply(reserve, 0), shares_before, 0) : 0;
  REQUIRE(payout, WITHDRAW_TOO_SMALL);
  TRY(burn_tokens(move->share_program, shares, move->user_shares, move->share_mint, move->owner));
  REQUIRE(payout <= available, INSUFFICIENT_LIQUIDITY);
  TRY(TRANSFER_TOKENS(move->token_program, payout, move->vault, move->mint, move->user_tokens, move->authority, 3));
  REQUIRE(vault_before - token_amount(move->vault) == payout, BALANCE_MISMATCH);
  write64(reserve + RESERVE_AVAILABLE, available - payout);
  write64(reserve + RESERVE_SHARE_SUPPLY, shares_before - shares);
  return 0;
}

FUNCTION u64 move_money(u64 is_deposit) {
  REQUIRE(MEMORY->account_count >= MOVE_ACCOUNTS, TOO_FEW_ACCOUNTS);
  REQUIRE(MEMORY->data_length == MOVE_DATA_LENGTH, INSTRUCTION_NOT_READABLE);
  u64 amount = read64(MEMORY->data + 8);
  read_move(is_deposit);
  TRY(check_move());
  REQUIRE(amount, INVALID_AMOUNT);
  // Interest first, inside the instruction: clients need not send refreshReserve before.
  TRY(accrue_interest(MOVE->reserve->data));
  TRY(is_deposit ? deposit(amount) : redeem(amount));
  MOVE->reserve->data[RESERVE_STALE] = 1;
  return 0;
}

u64 entrypoint(u8 *input) {
  TRY(read_input(input));
  u64 discriminator = read64(MEMORY->data);
  if (discriminator == IX_REFRESH_RESERVE) return refresh_reserve();
  if (discriminator == IX_DEPOSIT_RESERVE_LIQUIDITY) return move_money(1);
  if (discriminator == IX_REDEEM_RESERVE_COLLATERAL) return move_money(0);
  return UNKNOWN_INSTRUCTION;
}
