// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// The split address of one payment, as `Forwarder`, but for receivers who cannot be paid: each share is paid by itself, and
/// what a receiver does not take is kept for that receiver, who can claim it at any time. It has no owner, and anyone may
/// call `distribute` and `claim`, any number of times; late funds are shared out like the first.
///
/// Re-entrance: what is being shared out counts as `reserved` until it has left, so that a call in the middle finds
/// nothing to share out, and what is owed is taken off before it is paid.
contract PullForwarder {
    /// What one share may use at most: receivers' code runs at the caller's cost. Tokens take 30,000 to 65,000.
    uint256 private constant SHARE_GAS = 100_000;
    /// What a call with value costs its caller beside the gas that it passes on, and what comes after it.
    uint256 private constant OVERHEAD_GAS = 50_000;

    /// keccak256(abi.encode(address[] receivers, uint256[] shares))
    bytes32 public immutable splitHash;

    /// What has been shared out so far, by token, what is kept included; the zero address is the native coin.
    mapping(address token => uint256 total) public distributed;

    /// What is kept for receivers, by token.
    mapping(address token => uint256 total) public reserved;

    mapping(address token => mapping(address receiver => uint256 amount)) public owed;

    event Distributed(address indexed token, uint256 total, uint256[] amounts);
    event Unpaid(address indexed token, address indexed receiver, uint256 amount);

    error OtherSplit();
    error NothingToDistribute();
    error NothingToClaim();
    error NotTheReceiver();
    error TooLittleGas();
    error TransferFailed();

    constructor(bytes32 splitHash_) {
        splitHash = splitHash_;
    }

    receive() external payable {}

    /// Shares out what has come of `token` (zero: the native coin): each share is rounded down, what remains goes to the first
    /// receiver.
    function distribute(address token, address[] calldata receivers, uint256[] calldata shares) external {
        if (keccak256(abi.encode(receivers, shares)) != splitHash) revert OtherSplit();
        uint256 total = token == address(0) ? address(this).balance : IERC20(token).balanceOf(address(this));
        uint256 kept = reserved[token];
        if (total <= kept) revert NothingToDistribute();
        total -= kept;
        reserved[token] = kept + total;
        distributed[token] += total;
        uint256[] memory amounts = shareAmounts(total, shares);
        emit Distributed(token, total, amounts);
        uint256 paid = 0;
        for (uint256 i = 0; i < receivers.length; i++) {
            uint256 amount = amounts[i];
            if (amount == 0) continue;
            // A call gets at most 63/64 of what is left. With less than `SHARE_GAS` a receiver who takes it would seem not to.
            if (gasleft() < ((SHARE_GAS + OVERHEAD_GAS) * 64) / 63) revert TooLittleGas();
            if (transfer(token, receivers[i], amount, SHARE_GAS)) {
                paid += amount;
            } else {
                owed[token][receivers[i]] += amount;
                emit Unpaid(token, receivers[i], amount);
            }
        }
        reserved[token] -= paid;
    }

    /// Pays what is kept for `receiver`: anyone may have it paid to the receiver, who alone may have it paid elsewhere.
    function claim(address token, address receiver, address to) external {
        if (to != receiver && msg.sender != receiver) revert NotTheReceiver();
        uint256 amount = owed[token][receiver];
        if (amount == 0) revert NothingToClaim();
        owed[token][receiver] = 0;
        reserved[token] -= amount;
        if (!transfer(token, to, amount, gasleft())) revert TransferFailed();
    }

    /// Tokens that answer nothing (USDT) have paid where the call succeeds. Of an answer 32 bytes are read, whatever its size.
    function transfer(address token, address to, uint256 amount, uint256 gasMax) private returns (bool isPaid) {
        assembly ("memory-safe") {
            switch token
            case 0 {
                isPaid := call(gasMax, to, amount, 0, 0, 0, 0)
            }
            default {
                let data := mload(0x40)
                mstore(data, shl(224, 0xa9059cbb))
                mstore(add(data, 4), to)
                mstore(add(data, 36), amount)
                isPaid := call(gasMax, token, 0, data, 68, 0, 32)
                isPaid := and(isPaid, or(iszero(returndatasize()), and(gt(returndatasize(), 31), eq(mload(0), 1))))
            }
        }
    }

    function shareAmounts(uint256 total, uint256[] calldata shares) private pure returns (uint256[] memory amounts) {
        amounts = new uint256[](shares.length);
        uint256 sum = 0;
        for (uint256 i = 0; i < shares.length; i++) sum += shares[i];
        uint256 remaining = total;
        for (uint256 i = 1; i < shares.length; i++) {
            amounts[i] = (total * shares[i]) / sum;
            remaining -= amounts[i];
        }
        amounts[0] = remaining;
    }
}
