// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// A token with what makes tokens hard to pay with, for tests: no return values, as Tether's on Ethereum; receivers that
/// it refuses, as tokens with a list of blocked accounts do; receivers that take much gas; a fee that it can keep.
contract FussyToken {
    uint8 public constant decimals = 6;
    mapping(address account => uint256 balance) public balanceOf;
    mapping(address owner => mapping(address spender => uint256 amount)) public allowance;
    mapping(address account => bool isBlocked) public blocked;
    mapping(address account => uint256 gas) public gasOf;
    uint256 public feeUnits;

    event Transfer(address indexed from, address indexed to, uint256 value);

    error Blocked(address account);
    error Insufficient();

    constructor(address holder, uint256 supply) {
        balanceOf[holder] = supply;
        emit Transfer(address(0), holder, supply);
    }

    function setBlocked(address account, bool isBlocked) external {
        blocked[account] = isBlocked;
    }

    function setGas(address account, uint256 gas) external {
        gasOf[account] = gas;
    }

    function setFee(uint256 units) external {
        feeUnits = units;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 value) external {
        move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        if (allowance[from][msg.sender] < value) revert Insufficient();
        allowance[from][msg.sender] -= value;
        move(from, to, value);
    }

    function move(address from, address to, uint256 value) private {
        if (blocked[to]) revert Blocked(to);
        if (balanceOf[from] < value) revert Insufficient();
        uint256 end = gasleft() - gasOf[to];
        while (gasleft() > end) {}
        balanceOf[from] -= value;
        balanceOf[to] += value - feeUnits;
        emit Transfer(from, to, value - feeUnits);
    }
}
