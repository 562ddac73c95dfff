# Written by losslessctl env --format sh, from policy azure-local
# roce.tos: DSCP 26 << 2 | ECN 2, priority 0
export NCCL_IB_TC='106'
# roce.tos: DSCP 26 << 2 | ECN 2, priority 0
export NCCL_GIN_IB_TC='106'
# ens1f0np0 trusts PCP: that of a VLAN's tag is the service level
export NCCL_IB_SL='3'
# the ports of the policy; = matches whole names, not mlx5_10 for mlx5_1
export NCCL_IB_HCA='=mlx5_0:1,mlx5_1:1'
# every port has a RoCE v2 GID with an IPv4 address
export NCCL_IB_ADDR_FAMILY='AF_INET'
# RoCE v1 has no DSCP
export NCCL_IB_ROCE_VERSION_NUM='2'
# roce.tos: DSCP 26 << 2 | ECN 2, priority 0
export UCX_IB_TRAFFIC_CLASS='106'
# ens1f0np0 trusts PCP: that of a VLAN's tag is the service level
export UCX_IB_SL='3'
# the ports of the policy
export UCX_NET_DEVICES='mlx5_0:1,mlx5_1:1'
