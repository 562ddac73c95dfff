losslessctl: ens1f0np0: the policy does not say which DSCP carries RoCE
  set roce.tos, or "classes", in its profile
